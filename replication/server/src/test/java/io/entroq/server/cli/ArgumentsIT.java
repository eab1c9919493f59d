package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.entroq.tools.terminal.CommandException;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ArgumentsIT {
  private static final String TEXT = "\u00fc/\ud83d\ude00";

  @Test
  void shouldDecodeLastArguments() {
    byte[] line = ("java\0Main\0" + TEXT + "\0\0x\0").getBytes(StandardCharsets.UTF_8);
    assertThat(Arguments.decode(line, "\ufffd", "", "x")).containsExactly(TEXT, "", "x");
  }

  @Test
  void shouldRejectArgumentsThatAreNotUtf8() {
    byte[] line = "\u00e9\0x\0".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(Arguments.decode(line, "x")).containsExactly("x");
    assertThatThrownBy(() -> Arguments.decode(line, "\ufffd", "x"))
        .isInstanceOf(CommandException.class)
        .hasMessageContainingAll("is not UTF-8", "LC_ALL=C.UTF-8");
  }

  @Test
  void shouldRejectMissingCommandLine() {
    assertThatThrownBy(() -> Arguments.decode(new byte[0], "\ufffd"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("LC_ALL=C.UTF-8");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldKeepTextInAsciiLocale(@TempDir Path directory) throws Exception {
    Process process = insert(directory, "\\303\\274/\\360\\237\\230\\200");
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(process.waitFor()).isZero();
    JsonNode task = new ObjectMapper().readTree(out).get(0);
    assertThat(task.get("queue").asText()).isEqualTo(TEXT);
    assertThat(task.get("value").asText()).isEqualTo(TEXT);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldRejectBytesThatAreNotText(@TempDir Path directory) throws Exception {
    Process process = insert(directory, "\\351");
    assertThat(process.errorReader().lines().toList())
        .hasSize(1)
        .allMatch(line -> line.startsWith("entroq: the command line is not UTF-8"));
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(directory.resolve("data")).doesNotExist();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldReportEffectWhenOutputCannotBeWritten(@TempDir Path directory) throws Exception {
    String data = Files.createDirectory(directory.resolve("data")).toString();
    assertUnwritten(
        "entroq ins: 2 tasks were inserted, but the output could not be written",
        "ins",
        "--data",
        data,
        "-q",
        "inbox",
        "-v",
        "1",
        "-v",
        "2");
    assertUnwritten(
        " was claimed by me until ", "claim", "--data", data, "-q", "inbox", "--claimant", "me");
    assertUnwritten("entroq stats: the output could not be written", "stats", "--data", data);
  }

  private static void assertUnwritten(String said, String... args) throws Exception {
    Process process = Java.command(Main.class, args).redirectOutput(new File("/dev/full")).start();
    assertThat(process.errorReader().lines().toList())
        .hasSize(1)
        .allMatch(line -> line.contains(said));
    assertThat(process.waitFor()).isEqualTo(1);
  }

  /** Lets a shell produce the bytes, since Java cannot pass arguments that are not text. */
  private static Process insert(Path directory, String bytes) throws Exception {
    String script = "text=$(printf '" + bytes + "'); exec \"$@\" -q \"$text\" -v \"\\\"$text\\\"\"";
    List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
    command.addAll(
        Java.command(Main.class, "ins", "--data", directory.resolve("data").toString()).command());
    ProcessBuilder shell = new ProcessBuilder(command);
    shell.environment().put("LC_ALL", "C");
    return shell.start();
  }
}
