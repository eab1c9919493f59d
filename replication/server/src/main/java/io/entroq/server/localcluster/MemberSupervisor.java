package io.entroq.server.localcluster;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One member of the cluster: its current process, the status that the process last printed, and the
 * back-off before a restart. For one thread.
 */
final class MemberSupervisor {
  private static final Pattern START = Pattern.compile("Starting EntroQ server \\d+ -> .*");
  private static final Pattern READY =
      Pattern.compile("Member \\d+ (leads|follows member \\d+), term (\\d+)");
  private static final Pattern CONSOLE = Pattern.compile("Console: http.*");
  private static final Pattern STATUS = Pattern.compile("Member \\d+ .*");

  private static final Duration BACK_OFF_MIN = Duration.ofMillis(500);
  private static final Duration BACK_OFF_MAX = Duration.ofSeconds(30);

  /** After a process has run for this long, the back-off starts over. */
  private static final Duration STABLE_AFTER = Duration.ofSeconds(30);

  private final MemberPorts ports;
  private Optional<MemberProcess> process = Optional.empty();
  private Optional<String> console = Optional.empty();
  private boolean hasServed;
  private boolean isReady;
  private boolean isLeading;
  private long term;
  private long startedNs;
  private long restartNs;
  private Duration backOff = BACK_OFF_MIN;

  MemberSupervisor(MemberPorts ports) {
    this.ports = ports;
  }

  MemberPorts ports() {
    return ports;
  }

  /** The running process; empty if there is none. */
  Optional<MemberProcess> process() {
    return process;
  }

  /** The line in which it has said where its console is; empty if it has none. */
  Optional<String> console() {
    return console;
  }

  /** Call after starting a process. */
  void onStart(MemberProcess started, long nowNs) {
    process = Optional.of(started);
    startedNs = nowNs;
  }

  /** Call with each line that the process prints. */
  void onOutput(String line) {
    hasServed |= START.matcher(line).matches();
    if (CONSOLE.matcher(line).matches()) {
      console = Optional.of(line);
    }
    if (STATUS.matcher(line).matches()) {
      Matcher ready = READY.matcher(line);
      isReady = ready.matches();
      isLeading = isReady && ready.group(1).equals("leads");
      term = isReady ? Long.parseLong(ready.group(2)) : term;
    }
  }

  /**
   * Call after the process has exited.
   *
   * @return how long to wait before the restart
   */
  Duration onExit(long nowNs) {
    process = Optional.empty();
    isReady = false;
    isLeading = false;
    if (nowNs - startedNs > STABLE_AFTER.toNanos()) {
      backOff = BACK_OFF_MIN;
    }
    Duration wait = backOff;
    restartNs = nowNs + wait.toNanos();
    Duration next = backOff.multipliedBy(2);
    backOff = next.compareTo(BACK_OFF_MAX) > 0 ? BACK_OFF_MAX : next;
    return wait;
  }

  /** Whether it is time to start the next process. */
  boolean isDue(long nowNs) {
    return process.isEmpty() && nowNs - restartNs >= 0;
  }

  /** Whether any process of this member has served. */
  boolean hasServed() {
    return hasServed;
  }

  boolean isReady() {
    return isReady;
  }

  boolean isLeading() {
    return isLeading;
  }

  /** The last leadership term that the member printed. */
  long term() {
    return term;
  }
}
