package io.entroq.server.cli.queue.options;

import io.entroq.api.EntroQException;
import io.entroq.api.TaskQuery;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Checks the name of a queue. */
public final class QueueNameConverter implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    try {
      return TaskQuery.in(text).queue();
    } catch (EntroQException.InvalidArgument e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
