package io.entroq.server.local;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A member, whichever process runs it at the moment, and what is known of it from what that prints.
 * For one thread.
 */
final class Seat {
  private static final Pattern START = Pattern.compile("Starting EntroQ server \\d+ -> .*");
  private static final Pattern READY =
      Pattern.compile("Member \\d+ (leads|follows member \\d+), term (\\d+)");
  private static final Pattern STANDING = Pattern.compile("Member \\d+ .*");

  private static final Duration BACK_OFF_MIN = Duration.ofMillis(500);
  private static final Duration BACK_OFF_MAX = Duration.ofSeconds(30);

  /** Whoever has lived for so long has begun well. */
  private static final Duration LIFE_MIN = Duration.ofSeconds(30);

  private final MemberPlace place;
  private Optional<MemberProcess> process = Optional.empty();
  private boolean hasServed;
  private boolean isReady;
  private boolean isLeading;
  private long term;
  private long startedNs;
  private long restartNs;
  private Duration backOff = BACK_OFF_MIN;

  Seat(MemberPlace place) {
    this.place = place;
  }

  MemberPlace place() {
    return place;
  }

  /** The process that runs it; empty while none does. */
  Optional<MemberProcess> process() {
    return process;
  }

  /** A process runs it from now on. */
  void take(MemberProcess started, long nowNs) {
    process = Optional.of(started);
    startedNs = nowNs;
  }

  /** Its process has printed a line. */
  void hear(String line) {
    hasServed |= START.matcher(line).matches();
    if (STANDING.matcher(line).matches()) {
      Matcher ready = READY.matcher(line);
      isReady = ready.matches();
      isLeading = isReady && ready.group(1).equals("leads");
      term = isReady ? Long.parseLong(ready.group(2)) : term;
    }
  }

  /**
   * Its process has ended.
   *
   * @return after which time the next one is due
   */
  Duration lose(long nowNs) {
    process = Optional.empty();
    isReady = false;
    isLeading = false;
    if (nowNs - startedNs > LIFE_MIN.toNanos()) {
      backOff = BACK_OFF_MIN;
    }
    Duration wait = backOff;
    restartNs = nowNs + wait.toNanos();
    Duration next = backOff.multipliedBy(2);
    backOff = next.compareTo(BACK_OFF_MAX) > 0 ? BACK_OFF_MAX : next;
    return wait;
  }

  /** Whether the next process is to be started. */
  boolean isDue(long nowNs) {
    return process.isEmpty() && nowNs - restartNs >= 0;
  }

  /** Whether it has ever let callers in. */
  boolean hasServed() {
    return hasServed;
  }

  boolean isReady() {
    return isReady;
  }

  boolean isLeading() {
    return isLeading;
  }

  /** Of the leadership that it knows of. */
  long term() {
    return term;
  }
}
