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
 * One JSON value a line, in ASCII, so that no locale spoils a name. For one thread.
 *
 * <p>It notices within some lines when nobody reads them any more, so that a dump of which only the
 * head is wanted ends.
 */
public final class JsonLines implements AutoCloseable {
  private static final int LINES_BETWEEN_LOOKS = 64;

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
   * Prints one line that is an object.
   *
   * @param object writes the members of its object
   * @throws ScanEndedException if the output takes no more
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
   * Prints one line that is any value.
   *
   * @param value writes it
   * @throws ScanEndedException if the output takes no more
   */
  public void value(Members value) {
    try {
      value.writeTo(generator);
      generator.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    lines++;
    if (lines % LINES_BETWEEN_LOOKS == 0 && !pass()) {
      throw new ScanEndedException();
    }
  }

  /** Hands over all lines; says whether the output takes more. */
  private boolean pass() {
    try {
      generator.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return !out.checkError();
  }

  /** Hands over all lines. The output stays open. */
  @Override
  public void close() {
    pass();
  }

  /** What stands in an object, or on a line. */
  @FunctionalInterface
  public interface Members {
    void writeTo(JsonGenerator json) throws IOException;
  }
}
