package io.entroq.server.logging;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;
import java.util.logging.LogRecord;

/** Formats log records as JSON, in ASCII. */
final class JsonLogLines extends Lines {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  JsonLogLines(UnaryOperator<String> wording) {
    super(wording);
  }

  @Override
  public String format(LogRecord entry) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("time", time(entry));
      json.writeStringField("level", LogLevel.wordOf(entry.getLevel()));
      json.writeStringField("logger", String.valueOf(entry.getLoggerName()));
      json.writeStringField("thread", Thread.currentThread().getName());
      json.writeStringField("message", message(entry));
      if (entry.getThrown() != null) {
        json.writeStringField("error", trace(entry));
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a StringWriter cannot fail", e);
    }
    return line.append('\n').toString();
  }
}
