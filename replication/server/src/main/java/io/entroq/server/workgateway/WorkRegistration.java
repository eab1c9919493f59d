package io.entroq.server.workgateway;

import io.entroq.api.EntroQException;
import io.entroq.server.settings.DurationConverter;
import io.entroq.workers.WorkGateway;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.TypeConversionException;

/**
 * What a program asks for in the URL, with the names that EntroQ's gateway has for it.
 *
 * @param parameters of the URL
 */
record WorkRegistration(Map<String, List<String>> parameters) {
  private static final Set<String> NAMES =
      Set.of(
          "queue",
          "maxAttempts",
          "maxClaims",
          "takeDocs",
          "work",
          "success",
          "dependency",
          "errorQueue",
          "retryDelay");

  /** The queues that it asks for; all that it may, if it asks for none. */
  List<String> queues(List<String> allowed) {
    List<String> asked = parameters.getOrDefault("queue", List.of());
    for (String queue : asked) {
      if (!allowed.contains(queue)) {
        throw refused("queue '%s' is not served here".formatted(queue));
      }
    }
    return asked.isEmpty() ? allowed : asked.stream().distinct().toList();
  }

  /**
   * Configures a gateway as it asks for.
   *
   * @throws EntroQException.InvalidArgument if that is not possible
   */
  void apply(WorkGateway.Builder gateway) {
    for (String name : parameters.keySet()) {
      if (!NAMES.contains(name)) {
        throw refused("parameter '%s' is unknown".formatted(name));
      }
    }
    if (!read("work", true, WorkRegistration::bool)) {
      throw refused("work must be on");
    }
    set("maxAttempts", Integer::valueOf, gateway::maxAttempts);
    set("maxClaims", Integer::valueOf, gateway::maxClaims);
    set("takeDocs", WorkRegistration::bool, gateway::takeDocs);
    set("success", WorkRegistration::bool, gateway::tellSuccess);
    set("dependency", WorkRegistration::bool, gateway::tellDependency);
    set("errorQueue", text -> text, gateway::errorQueue);
    set("retryDelay", WorkRegistration::duration, gateway::retryDelay);
  }

  private <T> void set(
      String name, Function<String, T> parser, Function<T, WorkGateway.Builder> setter) {
    T value = read(name, null, parser);
    if (value != null) {
      WorkGateway.Builder unused = setter.apply(value);
    }
  }

  private <T> T read(String name, T standard, Function<String, T> parser) {
    List<String> values = parameters.getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw refused("parameter '%s' is there twice".formatted(name));
    }
    // As a parameter without a value, it is not there for EntroQ's gateway either.
    if (values.isEmpty() || values.get(0).isEmpty()) {
      return standard;
    }
    try {
      return parser.apply(values.get(0));
    } catch (IllegalArgumentException | TypeConversionException e) {
      throw new EntroQException.InvalidArgument(
          "'%s' is no value for %s".formatted(values.get(0), name), e);
    }
  }

  /** As Go reads it. */
  private static boolean bool(String text) {
    return switch (text) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static Duration duration(String text) {
    return new DurationConverter().convert(text);
  }

  private static EntroQException.InvalidArgument refused(String why) {
    return new EntroQException.InvalidArgument(why);
  }
}
