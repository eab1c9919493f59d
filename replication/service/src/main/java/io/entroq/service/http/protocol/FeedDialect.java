package io.entroq.service.http.protocol;

import io.entroq.codec.wire.edge.EffectKind;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.service.call.Protocol;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the requests of feeds from query parameters, and names kinds of effects. */
public final class FeedDialect {
  private static final String LAST_EVENT_ID = "last-event-id";
  private static final String FROM = "from";
  private static final String UNTIL = "until";
  private static final String KIND_PREFIX = "EFFECT_";
  private static final int CHARS_QUOTED = 100;

  private FeedDialect() {}

  /**
   * Reads a request. A client that comes back says where it was; that wins over where it began.
   *
   * @throws RefusedException if a parameter is unknown or malformed
   */
  public static TailRequest read(ApiRequest request) {
    TailRequest.Builder tail = TailRequest.newBuilder();
    QueryParameters.of(request.query()).forEach((name, values) -> read(name, values, tail));
    Optional<String> lastSeen = request.header(LAST_EVENT_ID).filter(id -> !id.isEmpty());
    lastSeen.ifPresent(tail::setPosition);
    return tail.build();
  }

  private static void read(String name, List<String> values, TailRequest.Builder tail) {
    switch (name) {
      case "queue" -> tail.addAllQueues(values);
      case "prefix" -> tail.addAllPrefixes(values);
      case "namespace" -> tail.addAllNamespaces(values);
      case "id" -> tail.addAllTaskIds(values);
      case "kind" -> values.forEach(value -> tail.addKinds(kind(value)));
      case FROM -> readStart(only(name, values), tail);
      case UNTIL -> readEnd(only(name, values), tail);
      case "values" -> tail.setValues(isTrue(name, only(name, values)));
      default ->
          throw new RefusedException(
              Protocol.unknown("parameter %s: unknown parameter".formatted(shortened(name))));
    }
  }

  private static void readStart(String value, TailRequest.Builder tail) {
    if (value.equals("now")) {
      tail.setNow(true);
    } else if (value.equals("snapshot")) {
      tail.setSnapshot(true);
    } else if (isTime(value)) {
      tail.setTimeMs(timeMs(FROM, value));
    } else {
      tail.setPosition(value);
    }
  }

  private static void readEnd(String value, TailRequest.Builder tail) {
    if (isTime(value)) {
      tail.setUntilTimeMs(timeMs(UNTIL, value));
    } else {
      tail.setUntil(value);
    }
  }

  private static boolean isTime(String value) {
    return value.indexOf('T') >= 0;
  }

  private static long timeMs(String name, String value) {
    try {
      return Instant.parse(value).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw invalid(name, "not a time: " + shortened(value));
    }
  }

  private static EffectKind kind(String value) {
    try {
      return EffectKind.valueOf(KIND_PREFIX + value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw invalid("kind", "there is no kind " + shortened(value));
    }
  }

  /** The name of a kind, such as {@code given_back}. */
  public static String name(EffectKind kind) {
    return kind == EffectKind.UNRECOGNIZED
        ? "unknown"
        : kind.name().substring(KIND_PREFIX.length()).toLowerCase(Locale.ROOT);
  }

  private static boolean isTrue(String name, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, "expected true or false");
    };
  }

  private static String only(String name, List<String> values) {
    if (values.size() > 1) {
      throw invalid(name, "expected once, given %d times".formatted(values.size()));
    }
    return values.get(0);
  }

  private static RefusedException invalid(String name, String problem) {
    return new RefusedException(Refusal.invalid("parameter " + name + ": " + problem));
  }

  private static String shortened(String text) {
    return text.substring(0, Math.min(CHARS_QUOTED, text.length()));
  }
}
