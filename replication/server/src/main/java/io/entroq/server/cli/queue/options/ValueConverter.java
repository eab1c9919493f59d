package io.entroq.server.cli.queue.options;

import io.entroq.api.EntroQException;
import io.entroq.api.Value;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the value of a task: JSON, or empty for no value. */
public final class ValueConverter implements ITypeConverter<Value> {
  @Override
  public Value convert(String text) {
    try {
      return text.isEmpty() ? Value.absent() : Value.json(text);
    } catch (EntroQException.InvalidArgument e) {
      throw new TypeConversionException(
          e.getMessage() + "; strings need their own quotes, as in '\"hello\"'");
    }
  }
}
