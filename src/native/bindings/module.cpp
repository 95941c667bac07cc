// The module: what each file binds.
#include <nanobind/nanobind.h>

namespace cocarde::bindings {

void bind_text(nanobind::module_& module);
void bind_columns(nanobind::module_& module);
void bind_bleu(nanobind::module_& module);
void bind_rouge(nanobind::module_& module);
void bind_rouge155(nanobind::module_& module);
void bind_meteor(nanobind::module_& module);
void bind_wordnet(nanobind::module_& module);
void bind_paraphrases(nanobind::module_& module);
void bind_meteor_nltk(nanobind::module_& module);
void bind_chrf(nanobind::module_& module);
void bind_gleu(nanobind::module_& module);
void bind_ter(nanobind::module_& module);
void bind_diagnostics(nanobind::module_& module);

}  // namespace cocarde::bindings

NB_MODULE(_native, module) {
  using namespace cocarde::bindings;
  // Whether an object is still there when the interpreter ends is nothing that a user can do anything about:
  // a thread that runs on, or another package, may hold a metric.
  nanobind::set_leak_warnings(false);
  module.doc() = "Loops of cocarde. Not a public interface: use the package.";
  bind_text(module);
  bind_columns(module);
  bind_bleu(module);
  bind_rouge(module);
  bind_rouge155(module);
  bind_meteor(module);
  bind_wordnet(module);
  bind_paraphrases(module);
  bind_meteor_nltk(module);
  bind_chrf(module);
  bind_gleu(module);
  bind_ter(module);
  bind_diagnostics(module);
}
