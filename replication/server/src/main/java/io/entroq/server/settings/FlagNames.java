package io.entroq.server.settings;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The flags in messages of the engine and of members, which name a setting as their Java
 * configuration does: {@code memoryBytesMax} becomes {@code --memory-bytes-max}.
 */
public final class FlagNames {
  /** Two words or more: a single word such as {@code members} may mean something else. */
  private static final Pattern JAVA_NAME = Pattern.compile("\\b[a-z]+(?:[A-Z][a-z]+)+\\b");

  private static final Map<String, String> FLAGS =
      ServerSettings.ofEither().stream()
          .map(setting -> setting.flags()[0])
          .collect(Collectors.toMap(FlagNames::javaName, Function.identity()));

  private FlagNames() {}

  /** The message with every name of a setting replaced by its flag. Any thread. */
  public static String in(String message) {
    return JAVA_NAME
        .matcher(message)
        .replaceAll(name -> FLAGS.getOrDefault(name.group(), name.group()));
  }

  private static String javaName(String flag) {
    return Pattern.compile("-([a-z])")
        .matcher(flag.substring(2))
        .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
  }
}
