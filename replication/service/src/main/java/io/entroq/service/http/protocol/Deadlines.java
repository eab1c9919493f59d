package io.entroq.service.http.protocol;

import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Reads callers' deadlines from headers, as {@link System#nanoTime()}. */
public final class Deadlines {
  private static final String REST = "x-server-timeout";
  private static final String CONNECT = "connect-timeout-ms";
  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");
  private static final Pattern MILLIS = Pattern.compile("\\d{1,10}");

  private Deadlines() {}

  /** In seconds, as REST has it. */
  public static OptionalLong rest(ApiRequest request) {
    Optional<String> text = request.header(REST);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    require(SECONDS, REST, text.get());
    return after((long) (Double.parseDouble(text.get()) * TimeUnit.SECONDS.toNanos(1)));
  }

  /** In milliseconds, as Connect has it. */
  public static OptionalLong connect(ApiRequest request) {
    Optional<String> text = request.header(CONNECT);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    require(MILLIS, CONNECT, text.get());
    return after(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(text.get())));
  }

  private static OptionalLong after(long nanos) {
    return OptionalLong.of(System.nanoTime() + nanos);
  }

  /** How much time is left. */
  public static Duration left(long deadlineNanos) {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }

  private static void require(Pattern pattern, String header, String text) {
    if (!pattern.matcher(text).matches()) {
      throw new RefusedException(Refusal.invalid(header + ": not a time: " + text));
    }
  }
}
