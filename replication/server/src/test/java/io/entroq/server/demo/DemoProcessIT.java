package io.entroq.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.examples.mapreduce.Corpus;
import io.entroq.server.cli.Java;
import io.entroq.server.cli.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a process of its own, ended in every way. */
class DemoProcessIT {
  @TempDir private Path directory;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killAll() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void shouldEndRightWhenKilledMidwayAndRunAgain() throws Exception {
    writeCorpus(40);
    Process killed = start("--crash-percent", "20", "--hang-percent", "20", "--seed", "1");
    awaitMidway(killed);
    killed.destroyForcibly();
    assertThat(killed.waitFor()).isEqualTo(128 + 9);

    shouldGoOnAndEndRight();
  }

  @Test
  void shouldEndRightWhenStoppedMidwayAndRunAgain() throws Exception {
    writeCorpus(40);
    Process stopped = start("--crash-percent", "20", "--hang-percent", "20", "--seed", "1");
    awaitMidway(stopped);
    // Process.destroy would close the stream that is read next.
    assertThat(stopped.toHandle().destroy()).isTrue();
    assertThat(stopped.errorReader().lines().toList())
        .contains("Interrupted. Run again with --data " + data() + " to continue.");
    assertThat(stopped.waitFor()).isEqualTo(128 + 15);

    shouldGoOnAndEndRight();
  }

  @Test
  void shouldLeaveOutAFileWhoseNameIsNoTextInTheLocale() throws Exception {
    writeCorpus(1);
    String touch = "printf x > \"$(printf 'caf\\303\\251')\"";
    Process shell =
        new ProcessBuilder("sh", "-c", touch).directory(directory.resolve("text").toFile()).start();
    assertThat(shell.waitFor()).isZero();

    ProcessBuilder inLocaleC = command("--poison", "0");
    inLocaleC.environment().put("LC_ALL", "C");
    Process process = start(inLocaleC);
    assertThat(process.errorReader().lines().toList()).contains("Skipped as unreadable: 1");
    assertThat(process.waitFor()).isZero();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldFailWhenTheOutputCannotBeWritten() throws Exception {
    writeCorpus(1);
    Process demo = start(command().redirectOutput(new File("/dev/full")));
    assertThat(demo.errorReader().lines().toList())
        .anyMatch(line -> line.startsWith("entroq demo: The summary could not be written"));
    assertThat(demo.waitFor()).isEqualTo(1);
  }

  private void writeCorpus(int files) throws IOException {
    Corpus.write(Corpus.random("DemoProcessIT"), directory.resolve("text"), files, 3_000);
  }

  private void shouldGoOnAndEndRight() throws Exception {
    Process again = start("--crash-percent", "5", "--hang-percent", "5");
    List<String> out = again.inputReader(StandardCharsets.UTF_8).lines().toList();
    assertThat(again.errorReader().lines().toList())
        .anyMatch(line -> line.startsWith("Continuing to count"));
    assertThat(again.waitFor()).isZero();
    assertThat(out.get(out.size() - 1))
        .contains("\"lost\":0,\"committedTwice\":0", "\"equal\":true,\"right\":true");
  }

  /** Some tasks are committed, and others are not. */
  private static void awaitMidway(Process process) throws IOException {
    BufferedReader err = process.errorReader();
    String line = err.readLine();
    while (line != null && !line.matches(" [1-9]\\d %.*")) {
      line = err.readLine();
    }
    assertThat(line).contains("tasks committed");
  }

  private Path data() {
    return directory.resolve("data");
  }

  private Process start(String... options) throws IOException {
    return start(command(options));
  }

  private Process start(ProcessBuilder command) throws IOException {
    Process process = command.start();
    started.add(process);
    return process;
  }

  private ProcessBuilder command(String... options) {
    List<String> args = new ArrayList<>(List.of("demo", directory.resolve("text").toString()));
    args.addAll(List.of("--data", data().toString(), "--json", "--chunk-bytes", "1000"));
    args.addAll(List.of("--lease-ms", "500"));
    args.addAll(List.of(options));
    return Java.command(Main.class, args.toArray(String[]::new));
  }
}
