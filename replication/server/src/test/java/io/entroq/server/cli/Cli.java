package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/**
 * The output of a command.
 *
 * @param status the exit status of the process
 */
public record Cli(int status, String out, String err) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Runs a command in this process. */
  public static Cli run(Object... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      words[i] = args[i].toString();
    }
    int status = run(out, err, words);
    return new Cli(status, out.toString(), err.toString());
  }

  /** Runs a command whose output is read meanwhile; returns its exit status. */
  public static int run(Writer out, Writer err, String... words) {
    CommandLine command = Main.commandLine(words);
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(Arguments.withCommand(words));
  }

  /** Runs a command on the queue in a directory, in this process. */
  public static Cli on(Path data, String command, Object... args) {
    Object[] words = new Object[args.length + 3];
    words[0] = command;
    System.arraycopy(args, 0, words, 1, args.length);
    words[args.length + 1] = "--data";
    words[args.length + 2] = data;
    return run(words);
  }

  /** The lines of the output, each of which must be a JSON object in ASCII. */
  public List<JsonNode> lines() {
    return out.lines().map(Cli::parse).toList();
  }

  public JsonNode lastLine() {
    List<JsonNode> lines = lines();
    return lines.get(lines.size() - 1);
  }

  /** The output, which must be one line, a JSON value in ASCII. */
  public JsonNode json() {
    assertThat(out.lines()).hasSize(1);
    return parse(out.strip(), "[ -~]+");
  }

  static JsonNode parse(String line) {
    return parse(line, "\\{[ -~]*}");
  }

  private static JsonNode parse(String line, String form) {
    assertThat(line).matches(form);
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
  }

  /** Asserts that it succeeded without notes. */
  public Cli assertGood() {
    assertThat(err).isEmpty();
    assertThat(status).isZero();
    return this;
  }

  /** Asserts that it succeeded with a note on standard error. */
  public Cli assertGoodWith(String... notes) {
    assertThat(err.lines()).hasSize(1);
    assertThat(err).contains(notes);
    assertThat(status).isZero();
    return this;
  }

  /** Asserts that it found nothing and said so, with the exit status for that. */
  public Cli assertNothing(String note) {
    assertThat(out).isEmpty();
    assertThat(err).isEqualToIgnoringNewLines(note);
    assertThat(status).isEqualTo(3);
    return this;
  }

  /** Asserts that it failed with a one-line message. */
  public Cli assertFailed(String... why) {
    return assertEnded(1, why);
  }

  /** Asserts that it reported a usage error in one line. */
  public Cli assertMisused(String... why) {
    assertThat(out).isEmpty();
    return assertEnded(2, why);
  }

  private Cli assertEnded(int expected, String... why) {
    assertThat(err.lines()).hasSize(1);
    assertThat(err).startsWith("entroq ").contains(why);
    assertThat(status).isEqualTo(expected);
    return this;
  }
}
