package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine;

/**
 * What a command has said.
 *
 * @param status what the process would end with
 */
record Cli(int status, String out, String err) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Runs a command in this process. */
  static Cli run(Object... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      words[i] = args[i].toString();
    }
    int status = command.execute(words);
    return new Cli(status, out.toString(), err.toString());
  }

  /** The lines of the output, each of which must be a JSON object in ASCII. */
  List<JsonNode> lines() {
    return out.lines().map(Cli::parse).toList();
  }

  JsonNode lastLine() {
    List<JsonNode> lines = lines();
    return lines.get(lines.size() - 1);
  }

  static JsonNode parse(String line) {
    assertThat(line).matches("\\{[ -~]*}");
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
  }

  /** That it went well and had nothing to say but its result. */
  Cli assertGood() {
    assertThat(err).isEmpty();
    assertThat(status).isZero();
    return this;
  }

  /** That it failed and said why in one line. */
  Cli assertFailed(String... why) {
    assertThat(err.lines()).hasSize(1);
    assertThat(err).startsWith("entroq ").contains(why);
    assertThat(status).isEqualTo(1);
    return this;
  }
}
