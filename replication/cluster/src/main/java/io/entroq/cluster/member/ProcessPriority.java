package io.entroq.cluster.member;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import java.io.File;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Lets the threads of this process run soon on a busy Linux machine, so that others do not take a
 * starved member for a dead one. For a process that does nothing else than host a member.
 *
 * <p>Each thread asks for short time slices, which the scheduler grants sooner than long ones
 * (Linux 6.12 and later; earlier ones ignore it). This needs no right. With the right to do so
 * (CAP_SYS_NICE, or a limit of RLIMIT_NICE), each also gets more of the processors. Linux shares
 * them among sessions first, where it groups processes by session; the nice value counts only
 * within one. A process that leads its session therefore raises that too, and with it only its own
 * children.
 */
public final class ProcessPriority {
  private static final Logger LOGGER = System.getLogger(ProcessPriority.class.getName());

  private static final int NICE = -5;
  private static final long SLICE_NS = 100_000;

  /** Absent where the kernel does not group processes by session. */
  private static final Path SESSION = Path.of("/proc/self/autogroup");

  /** The numbers of sched_setattr; sched_getattr is the next one. */
  private static final Map<String, Integer> SYSTEM_CALLS = Map.of("x86-64", 314, "aarch64", 274);

  private static final long BYTES = 48;
  private static final long NO_FLAGS = 0;
  private static final int POLICY_AT = 4;
  private static final int FLAGS_AT = 8;
  private static final int NICE_AT = 16;
  private static final int SLICE_NS_AT = 24;
  private static final int DEFAULT_POLICY = 0;

  private final Function systemCall;
  private final int setAttributes;
  private final Memory attributes = new Memory(BYTES);
  private int niced;
  private int sliced;

  private ProcessPriority(int setAttributes) {
    systemCall = NativeLibrary.getInstance("c").getFunction("syscall");
    this.setAttributes = setAttributes;
  }

  /**
   * Raises all threads of this process, and so those that they start from now on. Leaves threads
   * alone that somebody has given a lower priority, or another policy. Logs what it did; never
   * fails.
   */
  public static void raise() {
    try {
      Integer call = Platform.isLinux() ? SYSTEM_CALLS.get(Platform.ARCH) : null;
      LOGGER.log(
          Level.INFO,
          call == null
              ? "the priority of this process is not raised on " + Platform.RESOURCE_PREFIX
              : new ProcessPriority(call).raiseAll());
    } catch (RuntimeException | LinkageError e) {
      LOGGER.log(Level.INFO, "the priority of this process is not raised: " + e);
    }
  }

  private String raiseAll() {
    String[] threads = new File("/proc/self/task").list();
    if (threads == null) {
      return "the priority of this process is not raised: no /proc/self/task";
    }
    for (String thread : threads) {
      raise(Long.parseLong(thread));
    }
    boolean isSessionRaised = niced > 0 && raiseSession();
    return "%d of %d threads ask for short time slices, and %d have nice %d or less%s%s"
        .formatted(
            sliced,
            threads.length,
            niced,
            NICE,
            isSessionRaised ? ", and so has their session" : "",
            niced < sliced ? ", which needs CAP_SYS_NICE or RLIMIT_NICE" : "");
  }

  private void raise(long thread) {
    boolean isKnown =
        systemCall.invokeInt(new Object[] {setAttributes + 1L, thread, attributes, BYTES, NO_FLAGS})
            == 0;
    int nice = attributes.getInt(NICE_AT);
    if (!isKnown || attributes.getInt(POLICY_AT) != DEFAULT_POLICY || nice > 0) {
      return;
    }
    if (set(thread, Math.min(nice, NICE))) {
      niced++;
      sliced++;
    } else if (set(thread, nice)) {
      sliced++;
    }
  }

  private static boolean raiseSession() {
    long leader = NativeLibrary.getInstance("c").getFunction("getsid").invokeInt(new Object[] {0});
    if (leader != ProcessHandle.current().pid()) {
      return false;
    }
    try {
      Files.writeString(SESSION, Integer.toString(NICE));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean set(long thread, int nice) {
    attributes.setLong(FLAGS_AT, NO_FLAGS);
    attributes.setInt(NICE_AT, nice);
    attributes.setLong(SLICE_NS_AT, SLICE_NS);
    return systemCall.invokeInt(new Object[] {(long) setAttributes, thread, attributes, NO_FLAGS})
        == 0;
  }
}
