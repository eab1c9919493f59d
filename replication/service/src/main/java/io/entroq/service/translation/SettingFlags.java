package io.entroq.service.translation;

import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The flags of a server in place of the engine's settings, which the engine's messages name as its
 * Java configuration does: callers of a server know flags.
 */
final class SettingFlags {
  private static final Pattern JAVA_NAME = Pattern.compile("\\b[a-z]+(?:[A-Z][a-z]+)+\\b");
  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  /** Those that a server has a flag for. */
  private static final Set<String> WITH_FLAG =
      Set.of(
          "acceptClock",
          "commandBytesMax",
          "diskFullBytes",
          "diskLowBytes",
          "idleYield",
          "memoryBytesMax",
          "policiesMax",
          "queueTasksMax",
          "readerBytesMax",
          "replayBytesMax",
          "segmentBytes",
          "snapshotInterval",
          "snapshotLogBytes",
          "unforcedBytesMax",
          "valueBytesMax",
          "waitingClaimsMax");

  private SettingFlags() {}

  /** The message with {@code --memory-bytes-max} for {@code memoryBytesMax}, and so on. */
  static String in(String message) {
    return JAVA_NAME.matcher(message).replaceAll(SettingFlags::flag);
  }

  private static String flag(MatchResult found) {
    String name = found.group();
    return WITH_FLAG.contains(name)
        ? "--"
            + CAPITAL
                .matcher(name)
                .replaceAll(capital -> "-" + capital.group().toLowerCase(Locale.ROOT))
        : name;
  }
}
