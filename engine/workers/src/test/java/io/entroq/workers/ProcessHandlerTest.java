package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Value;
import io.entroq.api.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ProcessHandlerTest extends WorkersTestBase {
  private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

  @TempDir private Path directory;

  private static ProcessHandler command(String... words) {
    return ProcessHandler.of(List.of(words), Results.standard())
        .withLimits(PATIENCE, ProcessHandler.OUTPUT_BYTES_DEFAULT);
  }

  private ProcessHandler script(String script) {
    return command("/bin/sh", "-c", script).with(Map.of("PATH", PATH)).in(directory);
  }

  @Test
  void shouldGiveJsonToTheProgramAndInsertItsOutput() throws Exception {
    insert("{\"x\":[1,\"é\"]}");
    work(command("cat"));
    JsonNode result = result("in/done");
    assertThat(result.get("stdout").textValue()).isEqualTo("{\"x\":[1,\"é\"]}");
    assertThat(result.get("stderr").textValue()).isEmpty();
    assertThat(result.get("err").textValue()).isEmpty();
    assertThat(result.get("exit").intValue()).isZero();
    assertThat(result.get("cmd").toString()).isEqualTo("[\"cat\"]");
    assertThat(result.get("dir").textValue()).isEqualTo(Path.of("").toAbsolutePath().toString());
  }

  @Test
  void shouldGiveOtherBytesAsTheyAre() throws Exception {
    insert(Value.bytes(new byte[] {0, 1, 10}));
    work(command("od", "-An", "-tx1"));
    assertThat(result("in/done").get("stdout").textValue().strip()).isEqualTo("00 01 0a");
  }

  @Test
  void shouldGiveNothingIfThereIsNoValue() throws Exception {
    insert(Insert.into("in"));
    work(command("wc", "-c"));
    assertThat(result("in/done").get("stdout").textValue().strip()).isEqualTo("0");
  }

  @Test
  void shouldUseNoShell() throws Exception {
    insert("\"$(id) `id` $HOME; id | cat > x\"");
    work(command("printf", "%s|", "$(id)", "`id`", "a;id", "*").in(directory));
    assertThat(result("in/done").get("stdout").textValue()).isEqualTo("$(id)|`id`|a;id|*|");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldGiveTheProgramNoVariablesButTheGiven() throws Exception {
    insert("1");
    work(command("/usr/bin/env").with(Map.of("A", "b c", "Z", "")));
    JsonNode result = result("in/done");
    assertThat(result.get("stdout").textValue().lines().map(line -> line.split("=", 2)[0]))
        .containsExactlyInAnyOrder("A", "Z", "ENTROQ_ATTEMPT", "ENTROQ_KEY", "ENTROQ_QUEUE");
    assertThat(result.get("stdout").textValue())
        .contains("A=b c\n", "ENTROQ_ATTEMPT=0\n", "ENTROQ_QUEUE=in\n");
    assertThat(result.get("env").toString()).isEqualTo("[\"A=b c\",\"Z=\"]");
  }

  @Test
  void shouldRunInTheDirectory() throws Exception {
    insert("1");
    work(command("pwd").in(directory));
    assertThat(result("in/done").get("stdout").textValue().strip())
        .isEqualTo(directory.toRealPath().toString());
  }

  @Test
  void shouldCallAnotherExitStatusAFailure() throws Exception {
    insert("1");
    work(script("echo out; echo err >&2; exit 3"));
    JsonNode result = result("in/error");
    assertThat(result.get("exit").intValue()).isEqualTo(3);
    assertThat(result.get("err").textValue()).isEqualTo("exit status 3");
    assertThat(result.get("stdout").textValue()).isEqualTo("out\n");
    assertThat(result.get("stderr").textValue()).isEqualTo("err\n");
  }

  @Test
  void shouldRepeatFailedWorkWithTheSameKey() throws Exception {
    insert("1");
    ProcessHandler handler =
        ProcessHandler.of(
                List.of("/bin/sh", "-c", "echo $ENTROQ_ATTEMPT $ENTROQ_KEY >> keys; exit 1"),
                Results.standard().withRetries(1))
            .in(directory);
    work(handler);
    assertThat(only("in").err()).isEqualTo("exit status 1");
    queue.advance(RETRY_DELAY);
    work(handler);
    assertThat(result("in/error").get("exit").intValue()).isOne();
    List<String> keys = Files.readAllLines(directory.resolve("keys"));
    assertThat(keys).hasSize(2);
    assertThat(keys.get(0).substring(2)).isEqualTo(keys.get(1).substring(2)).hasSize(36);
    assertThat(keys).extracting(key -> key.charAt(0)).containsExactly('0', '1');
  }

  @Test
  void shouldSayWhyAProgramCannotBeStarted() throws Exception {
    insert("1");
    work(command("/no/such/program"));
    JsonNode result = result("in/error/failed-start");
    assertThat(result.get("err").textValue()).contains("/no/such/program");
    assertThat(result.has("exit")).isFalse();
  }

  @Test
  void shouldKillAProgramThatTakesTooLongWithItsDescendants() throws Exception {
    insert("1");
    work(
        script("echo begun; sleep 1000 & (sleep 1000 & wait) & wait; echo ended")
            .withLimits(Duration.ofSeconds(5), 1_000));
    JsonNode result = result("in/error");
    assertThat(result.get("err").textValue()).isEqualTo("killed after 5000 ms");
    assertThat(result.get("stdout").textValue()).isEqualTo("begun\n");
    assertThat(result.has("exit")).isFalse();
    awaitNoProcess();
  }

  @Test
  void shouldKillAProgramWhoseWorkerIsStopped() throws Exception {
    insert("1");
    try (Worker worker = start(script("touch begun; sleep 1000 & wait"))) {
      while (Files.notExists(directory.resolve("begun"))) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      worker.close(Duration.ZERO);
    }
    awaitNoProcess();
    assertThat(only("in").claimant()).as("it is released").isEmpty();
  }

  /** Waits until nothing runs in the directory. */
  private void awaitNoProcess() throws Exception {
    while (isAnythingRunning()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private boolean isAnythingRunning() throws Exception {
    try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
      return processes.anyMatch(process -> directoryOf(process).equals(Optional.of(directory)));
    }
  }

  private static Optional<Path> directoryOf(ProcessHandle process) {
    try {
      return Optional.of(Files.readSymbolicLink(Path.of("/proc/%d/cwd".formatted(process.pid()))));
    } catch (java.io.IOException e) {
      return Optional.empty();
    }
  }

  @Test
  void shouldNotWaitForADescendantThatKeepsTheOutputOpen() throws Exception {
    insert("1");
    work(script("echo out; sleep 1000 & exit 0"));
    assertThat(result("in/done").get("stdout").textValue()).isEqualTo("out\n");
    killAll();
  }

  /** Kills what runs in the directory. */
  private void killAll() {
    try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
      processes
          .filter(process -> directoryOf(process).equals(Optional.of(directory)))
          .forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void shouldStartNothingWhileTooManyOutputsAreKeptOpen() throws Exception {
    ProcessBuilder leaving =
        new ProcessBuilder("/bin/sh", "-c", "sleep 0.2; sleep 1000 & exit 0")
            .directory(directory.toFile());
    // If a program ends before its output is read for the first time, the JDK can close that.
    boolean isStarted = true;
    while (isStarted) {
      isStarted = startUnlessTooManyOutputsAreOpen(leaving);
    }
    killAll();
    while (!startUnlessTooManyOutputsAreOpen(new ProcessBuilder("true"))) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** Runs a program unless an output of an earlier one is open. */
  private static boolean startUnlessTooManyOutputsAreOpen(ProcessBuilder builder) throws Exception {
    try {
      return ProcessRun.start(builder, 1, 1).await(new byte[0], PATIENCE);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("of their outputs open: redirect these");
      return false;
    }
  }

  @Test
  void shouldNotWaitForAProgramToReadItsInput() throws Exception {
    insert(Value.bytes(new byte[1_000_000]));
    work(command("true"));
    assertThat(result("in/done").get("exit").intValue()).isZero();
  }

  @Test
  void shouldKeepTheEndOfALongOutput() throws Exception {
    insert("1");
    work(
        script("i=0; while [ $i -lt 100000 ]; do echo line; i=$((i+1)); done; echo the end")
            .withLimits(PATIENCE, 100));
    assertThat(result("in/done").get("stdout").textValue())
        .startsWith("<truncated...>\n")
        .endsWith("line\nthe end\n")
        .hasSize(15 + 100);
  }

  @Test
  void shouldKeepLessOfAnOutputThatTakesMoreRoomInJson() throws Exception {
    insert(Value.bytes(new byte[500_000]));
    work(command("cat").withLimits(PATIENCE, 500_000));
    assertThat(result("in/done").get("stdout").textValue())
        .startsWith("<truncated...>\n\0")
        .hasSize(15 + 64 * 1_024);
  }

  @Test
  void shouldKeepNothingIfAskedForNothing() throws Exception {
    insert("\"text\"");
    work(command("cat").withLimits(PATIENCE, 0));
    assertThat(result("in/done").get("stdout").textValue()).isEqualTo("<truncated...>\n");
  }

  @Test
  void shouldStandOutputThatIsNotText() throws Exception {
    insert(Value.bytes(new byte[] {(byte) 0xff, 'a'}));
    work(command("cat"));
    assertThat(result("in/done").get("stdout").textValue()).isEqualTo("\ufffda");
  }

  @Test
  void shouldRefuseImpossibleOptions() {
    assertThatThrownBy(() -> command()).isInstanceOf(EntroQException.InvalidArgument.class);
    assertThatThrownBy(() -> command("")).hasMessage("the command is empty");
    assertThatThrownBy(() -> command("a\0b")).hasMessageContaining("NUL");
    ProcessHandler handler = command("true");
    for (String name : List.of("", "A=B", "A\0")) {
      assertThatThrownBy(() -> handler.with(Map.of(name, "x")))
          .hasMessage("'%s' is not a possible variable".formatted(name));
    }
    assertThatThrownBy(() -> handler.with(Map.of("A", "\0"))).hasMessageContaining("'A'");
    assertThatThrownBy(() -> handler.withLimits(Duration.ofDays(2), 1))
        .hasMessageContaining("timeout");
    assertThatThrownBy(() -> handler.withLimits(PATIENCE, -1)).hasMessageContaining("is -1");
  }

  @Test
  void shouldFailToStartInADirectoryThatIsGone() throws Exception {
    insert("1");
    work(command("true").in(directory.resolve("gone")));
    assertThat(result("in/error/failed-start").get("err").textValue()).contains("true");
  }

  @Test
  void shouldReadUtf8() throws Exception {
    insert(Value.bytes("ü".getBytes(StandardCharsets.UTF_8)));
    work(command("cat"));
    assertThat(result("in/done").get("stdout").textValue()).isEqualTo("ü");
  }
}
