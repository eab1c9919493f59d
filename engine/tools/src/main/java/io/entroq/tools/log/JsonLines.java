package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/**
 * Prints one JSON value per line, in ASCII, so that the output does not depend on the locale. Not
 * thread-safe.
 *
 * <p>It notices after some lines if the reader has closed the output, so that a dump piped to
 * {@code head} ends.
 */
public final class JsonLines implements AutoCloseable {
  private static final int LINES_BETWEEN_CHECKS = 64;

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .rootValueSeparator("")
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  private final PrintWriter out;
  private final JsonGenerator generator;
  private int lines;

  public JsonLines(PrintWriter out) {
    this.out = out;
    try {
      this.generator = FACTORY.createGenerator(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Prints an object.
   *
   * @param object writes its members
   * @throws ScanEndedException if the output is closed
   */
  public void line(Members object) {
    value(
        json -> {
          json.writeStartObject();
          object.writeTo(json);
          json.writeEndObject();
        });
  }

  /**
   * Prints any value.
   *
   * @param value writes it
   * @throws ScanEndedException if the output is closed
   */
  public void value(Members value) {
    try {
      value.writeTo(generator);
      generator.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    lines++;
    if (lines % LINES_BETWEEN_CHECKS == 0 && !flush()) {
      throw new ScanEndedException();
    }
  }

  /** Flushes all lines; returns whether the output is still open. */
  public boolean flush() {
    try {
      generator.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return !out.checkError();
  }

  /** Flushes all lines. The output stays open. */
  @Override
  public void close() {
    boolean unused = flush();
  }

  /** Writes the members of an object, or a value. */
  @FunctionalInterface
  public interface Members {
    void writeTo(JsonGenerator json) throws IOException;
  }
}
