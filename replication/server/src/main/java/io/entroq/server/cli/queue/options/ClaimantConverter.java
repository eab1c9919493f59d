package io.entroq.server.cli.queue.options;

import io.entroq.api.EntroQException;
import io.entroq.api.TaskQuery;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Checks a claimant name. */
public final class ClaimantConverter implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    try {
      return TaskQuery.withIds().notLeasedByOthersThan(text).claimant();
    } catch (EntroQException.InvalidArgument e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
