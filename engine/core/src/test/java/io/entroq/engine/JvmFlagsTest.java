package io.entroq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.engine.log.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class JvmFlagsTest {
  private static final String DONE = "done";

  @TempDir private Path directory;

  /** What a user writes first, in a JVM without any flags. */
  static final class FirstLines {
    private FirstLines() {}

    public static void main(String[] args) {
      try (TestEntroQ queue = TestEntroQ.open()) {
        queue.modify(Modification.insert("inbox", "hello")).orThrow();
      }
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(Path.of(args[0]))) {
        queue.modify(Modification.insert("inbox", "hello")).orThrow();
        queue.modify(Modification.delete(queue.tryClaim(Claim.from("inbox")).orElseThrow()));
      }
      System.out.println(DONE);
    }
  }

  @Test
  void shouldNeedNoFlags() throws IOException {
    try (ChildJvm child = start(List.of())) {
      assertThat(child.readLine()).as(child.errors()).isEqualTo(DONE);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldNameTheFlagsIfItMayNotDoWithout() throws IOException {
    String options = "JDK_JAVA_OPTIONS=-D" + JvmFlags.PROPERTY + "=flags";
    try (ChildJvm child = start(List.of("env", options))) {
      assertThat(child.readLine()).isNull();
      assertThat(child.errors())
          .contains("-Dentroq.jdk.access=flags forbids it to open them", JvmFlags.line());
    }
    String given = "JDK_JAVA_OPTIONS=-Dentroq.jdk.access=flags " + JvmFlags.line();
    try (ChildJvm child = start(List.of("env", given))) {
      assertThat(child.readLine()).as(child.errors()).isEqualTo(DONE);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldNameTheFlagsIfTheJvmForbidsToDoWithout() throws IOException {
    // As in an image of the JDK that leaves out jdk.unsupported.
    String options = "JDK_JAVA_OPTIONS=--limit-modules=java.base,java.logging,java.management";
    try (ChildJvm child = start(List.of("env", options))) {
      assertThat(child.readLine()).isNull();
      assertThat(child.errors())
          .contains("this JVM does not let it open them", JvmFlags.line(), "sun.misc.Unsafe");
    }
  }

  private ChildJvm start(List<String> wrapper) throws IOException {
    String data = directory.resolve("data").toString();
    return ChildJvm.start(wrapper, directory, FirstLines.class, data);
  }

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
    assertThat(JvmFlags.message(missing, true))
        .contains("Add to the java command line")
        .contains(missing.get(0));
    assertThat(JvmFlags.line().split(" ")).containsAll(missing);
  }
}
