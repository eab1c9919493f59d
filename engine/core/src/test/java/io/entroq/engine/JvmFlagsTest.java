package io.entroq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {
  @Test
  void shouldAcceptTheFlagsOfTheBuild() {
    assertThatCode(JvmFlags::require).doesNotThrowAnyException();
  }

  @Test
  void shouldNameEveryFlagThatIsMissing() {
    // A named module gets nothing from flags that open packages to the class path.
    Module stranger = java.util.logging.Logger.class.getModule();
    List<String> missing = JvmFlags.missing(Object.class.getModule(), stranger);
    assertThat(missing)
        .contains(
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED");
    assertThat(JvmFlags.message(missing))
        .contains("Add to the java command line")
        .contains(missing.get(0));
    assertThat(JvmFlags.line().split(" ")).containsAll(missing);
  }
}
