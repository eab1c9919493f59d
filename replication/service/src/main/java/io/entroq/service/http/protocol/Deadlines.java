package io.entroq.service.http.protocol;

import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Reads deadlines, as {@link System#nanoTime()}, from headers. */
public final class Deadlines {
  private static final String REST = "x-server-timeout";
  private static final String CONNECT = "connect-timeout-ms";
  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");
  private static final Pattern MILLIS = Pattern.compile("\\d{1,10}");

  private Deadlines() {}

  public static OptionalLong rest(ApiRequest request) {
    return read(request, REST, SECONDS, TimeUnit.SECONDS);
  }

  public static OptionalLong connect(ApiRequest request) {
    return read(request, CONNECT, MILLIS, TimeUnit.MILLISECONDS);
  }

  private static OptionalLong read(
      ApiRequest request, String header, Pattern pattern, TimeUnit unit) {
    Optional<String> text = request.header(header);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    if (!pattern.matcher(text.get()).matches()) {
      throw new RefusedException(Refusal.invalid(header + ": not a duration: " + text.get()));
    }
    BigDecimal nanos = new BigDecimal(text.get()).multiply(BigDecimal.valueOf(unit.toNanos(1)));
    return OptionalLong.of(System.nanoTime() + nanos.longValue());
  }

  public static Duration left(long deadlineNanos) {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }
}
