package io.entroq.engine.embedded;

import io.entroq.api.Durability;
import io.entroq.codec.wire.Limits;
import io.entroq.engine.gateway.GatewayLimits;
import io.entroq.engine.local.CallerBounds;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.maintenance.MaintenanceConfig;
import io.entroq.engine.runtime.MemoryBound;
import io.entroq.engine.space.DiskSpace;
import io.entroq.engine.space.SpaceFloors;
import io.entroq.engine.space.SpaceGuard;
import io.entroq.engine.time.LogClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How an engine in this process is set up. Immutable; made by {@link #in} or {@link #inMemory}.
 *
 * <p>Every bound has a default that suits a process with a heap of a gigabyte.
 */
public final class EmbeddedConfig {
  private static final int SLOTS_MAX = 1 << 20;

  private final Builder values;

  private EmbeddedConfig(Builder builder) {
    values = builder.copy();
  }

  /** Begins the set-up of an engine with its log in a directory, which is made if need be. */
  public static Builder in(Path directory) {
    return new Builder(Optional.of(directory));
  }

  /** Begins the set-up of an engine that keeps nothing when it is closed. */
  public static Builder inMemory() {
    return new Builder(Optional.empty());
  }

  /** Where the log is; empty: nowhere. */
  public Optional<Path> directory() {
    return values.directory;
  }

  /** What a reply promises. */
  public Durability durability() {
    return values.durability;
  }

  /** How large a segment of the log becomes, in bytes. */
  public int segmentBytes() {
    return values.segmentBytes;
  }

  /** The largest value of a task, in bytes. */
  public int valueBytesMax() {
    return values.valueBytesMax;
  }

  /** The largest command, in bytes as encoded. */
  public int commandBytesMax() {
    return values.commandBytesMax;
  }

  /** How many requests may be under way at once, waiting claims left out. */
  public int requestsInFlightMax() {
    return values.requestsInFlightMax;
  }

  /** How many bytes the larger of the requests under way may have in all. */
  public long bytesInFlightMax() {
    return values.bytesInFlightMax;
  }

  /** How many claims may wait at once. */
  public int waitingClaimsMax() {
    return values.waitingClaimsMax;
  }

  /** How many bytes may be in the log and not yet forced, at level {@code DISK}. */
  public long unforcedBytesMax() {
    return values.unforcedBytesMax;
  }

  /** How many bytes of memory outside the heap tasks may take before no more are taken in. */
  public long memoryBytesMax() {
    return values.memoryBytesMax > 0 ? values.memoryBytesMax : MemoryBound.defaultBytes();
  }

  /** How many tasks a queue may have; 0: any number. */
  public long queueTasksMax() {
    return values.queueTasksMax;
  }

  /** How many bytes what inserts tasks leaves free on the disk; 0: no more than all else. */
  public long diskLowBytes() {
    return values.diskLowBytes;
  }

  /** How many bytes all that callers write leaves free on the disk; 0: none. */
  public long diskFullBytes() {
    return values.diskFullBytes;
  }

  /**
   * Watches the free space of a disk; for the engines of this product.
   *
   * @param directory exists
   * @param nanoTime as {@link System#nanoTime()}
   */
  public SpaceGuard spaceGuard(Path directory, LongSupplier nanoTime) {
    return new SpaceGuard(directory, values.diskSpace, values.spaceFloors(), nanoTime);
  }

  /** What callers may have under way; for the engines of this product. */
  public CallerBounds callerBounds() {
    return new CallerBounds(
        values.requestsInFlightMax,
        values.waitingClaimsMax,
        values.bytesInFlightMax,
        values.roomTimeout,
        values.listingBytesMax,
        new GatewayLimits(values.valueBytesMax, values.commandBytesMax, values.queueTasksMax));
  }

  /** How long a caller waits for room when a bound is reached. */
  public Duration roomTimeout() {
    return values.roomTimeout;
  }

  /** How long the engine's threads look for work after the last of it before they sleep. */
  public Duration idleYield() {
    return values.idleYield;
  }

  /** Where log time comes from; empty: from the clocks of the system. */
  public Optional<LogClock> clock() {
    return Optional.ofNullable(values.clock);
  }

  /** How many bytes a listing may have that is answered in one piece. */
  public int listingBytesMax() {
    return values.listingBytesMax;
  }

  /** When snapshots are taken, and what readers of the log may hold back. */
  public MaintenanceConfig upkeep() {
    return new MaintenanceConfig(
        values.snapshotLogBytes, values.snapshotInterval, values.readerBytesMax);
  }

  /** Whether a wall clock far behind the log is accepted. */
  public boolean acceptClock() {
    return values.acceptClock;
  }

  /** Gathers a set-up. For one thread. */
  public static final class Builder {
    private final Optional<Path> directory;
    private Durability durability;
    private int segmentBytes = LogConfig.SEGMENT_BYTES_DEFAULT;
    private int valueBytesMax = Limits.VALUE_BYTES_MAX_DEFAULT;
    private int commandBytesMax = Limits.COMMAND_BYTES_MAX_DEFAULT;
    private int requestsInFlightMax = 4_096;
    private long bytesInFlightMax = 64L << 20;
    private int waitingClaimsMax = 16_384;
    private long unforcedBytesMax = 16L << 20;
    private long queueTasksMax;
    private long memoryBytesMax;
    private long diskLowBytes = 256L << 20;
    private long diskFullBytes = 64L << 20;
    private DiskSpace diskSpace = DiskSpace.FILE_SYSTEM;
    private Duration roomTimeout = Duration.ofSeconds(10);
    private Duration idleYield = Duration.ofNanos(300_000);
    private int listingBytesMax = 64 << 20;
    private long snapshotLogBytes = MaintenanceConfig.DEFAULT.snapshotLogBytes();
    private Duration snapshotInterval = MaintenanceConfig.DEFAULT.snapshotInterval();
    private long readerBytesMax = MaintenanceConfig.DEFAULT.readerBytesMax();
    private LogClock clock;
    private boolean acceptClock;

    private Builder(Optional<Path> directory) {
      this.directory = directory;
      this.durability = directory.isPresent() ? Durability.OS : Durability.NONE;
    }

    /** Sets what a reply promises; {@link Durability#OS} by default, in memory nothing. */
    public Builder durability(Durability level) {
      durability = Objects.requireNonNull(level, "durability");
      return this;
    }

    /** Sets how large a segment of the log becomes, in bytes; 64 MiB by default. */
    public Builder segmentBytes(int bytes) {
      segmentBytes = (int) inRange("segmentBytes", bytes, 4 << 10, 1 << 30);
      return this;
    }

    /** Sets the largest value of a task, in bytes; 1 MiB by default. */
    public Builder valueBytesMax(int bytes) {
      valueBytesMax = (int) inRange("valueBytesMax", bytes, 1, Limits.COMMAND_BYTES_MAX_DEFAULT);
      return this;
    }

    /** Sets the largest command, in bytes as encoded; 8 MiB by default. */
    public Builder commandBytesMax(int bytes) {
      commandBytesMax =
          (int) inRange("commandBytesMax", bytes, 1 << 10, Limits.COMMAND_BYTES_MAX_DEFAULT);
      return this;
    }

    /** Sets how many requests may be under way, waiting claims left out; 4,096 by default. */
    public Builder requestsInFlightMax(int requests) {
      requestsInFlightMax = (int) inRange("requestsInFlightMax", requests, 1, SLOTS_MAX);
      return this;
    }

    /** Sets how many bytes requests of more than 4 KiB may have in all; 64 MiB by default. */
    public Builder bytesInFlightMax(long bytes) {
      bytesInFlightMax = inRange("bytesInFlightMax", bytes, 8 << 10, 1L << 38);
      return this;
    }

    /** Sets how many claims may wait at once; 16,384 by default, at most 32,768. */
    public Builder waitingClaimsMax(int claims) {
      // Each has an identity of its own, and the state remembers 65,536 of them.
      waitingClaimsMax = (int) inRange("waitingClaimsMax", claims, 1, 32_768);
      return this;
    }

    /** Sets how many bytes may be unforced at level {@code DISK}; 16 MiB by default. */
    public Builder unforcedBytesMax(long bytes) {
      unforcedBytesMax = inRange("unforcedBytesMax", bytes, 1, 1L << 38);
      return this;
    }

    /**
     * Sets how many tasks a queue may have, available or not; by default any number. A Modify after
     * which a queue that it inserts or moves tasks into would have more is refused with {@link
     * io.entroq.api.EntroQException.ResourceExhausted}, and nothing of it is done. What leaves the
     * queue in the same Modify makes room, and what does not make the queue larger is done though
     * the limit, lowered since, has been passed. Claims, renewals and deletes are never refused for
     * it.
     *
     * <p>Where the tasks are too many already that the Modify itself leaves in a queue (inserted,
     * moved or changed there, or depended on), room is of no use, and it is refused with {@link
     * io.entroq.api.EntroQException.InvalidArgument}: split it, or raise the limit.
     *
     * <p>The limit stands in each command that goes through this engine and is not kept: the next
     * opening may have another. A directory of an older behaviour level than 3 cannot be opened
     * with a limit before its level is raised.
     *
     * @param tasks 0: any number
     */
    public Builder queueTasksMax(long tasks) {
      queueTasksMax = inRange("queueTasksMax", tasks, 0, 1L << 46);
      return this;
    }

    /**
     * Sets how many bytes of memory outside the heap tasks may take, with all that is kept about
     * them. Past it, what inserts tasks is refused with {@link
     * io.entroq.api.EntroQException.ResourceExhausted}, unless it fits in the place of deleted
     * tasks. Changes may take about a thirty-second part more, and past that only what keeps a
     * task's size; so leases can be renewed in any case. Claims, deletes and reads go on.
     *
     * <p>By default what the JVM allows ({@code -XX:MaxDirectMemorySize} if that is set, else as
     * much as the heap may have) less an eighth. Several engines in one process have to share that:
     * set it for each.
     */
    public Builder memoryBytesMax(long bytes) {
      memoryBytesMax = inRange("memoryBytesMax", bytes, 1 << 20, 1L << 46);
      return this;
    }

    /**
     * Sets how many bytes have to be free on the disk for what inserts tasks; 256 MiB by default.
     * With fewer, it is refused with {@link io.entroq.api.EntroQException.ResourceExhausted};
     * claims, changes, deletes and reads go on. Ends by itself when there is room again.
     *
     * @param bytes at least {@code diskFullBytes} and 16 MiB; 0: inserts are treated as all else
     */
    public Builder diskLowBytes(long bytes) {
      diskLowBytes = inRange("diskLowBytes", bytes, 0, 1L << 50);
      return this;
    }

    /**
     * Sets how many bytes have to be free on the disk for all that callers write; 64 MiB by
     * default. With fewer, everything but reads is refused with {@link
     * io.entroq.api.EntroQException.ResourceExhausted}; claims that wait go on waiting. Ends by
     * itself when there is room again. Below 16 MiB, when even the engine's own records find no
     * room, it stops. A snapshot leaves as much free.
     *
     * @param bytes at least 16 MiB; 0: nothing is refused before the engine stops
     */
    public Builder diskFullBytes(long bytes) {
      diskFullBytes = inRange("diskFullBytes", bytes, 0, 1L << 50);
      return this;
    }

    /** Sets who says what is free on the disk. */
    Builder diskSpace(DiskSpace space) {
      diskSpace = space;
      return this;
    }

    /**
     * Sets how many bytes a listing may have that is answered in one piece; 64 MiB by default. One
     * that would have more is refused, and has to ask for less or to use {@link
     * io.entroq.api.EntroQ#forEachTask}.
     */
    public Builder listingBytesMax(int bytes) {
      listingBytesMax = (int) inRange("listingBytesMax", bytes, 1 << 10, 1 << 30);
      return this;
    }

    /** Sets how long a caller waits for room when a bound is reached; 10 seconds by default. */
    public Builder roomTimeout(Duration timeout) {
      inRange("roomTimeout", timeout.toMillis(), 0, Duration.ofDays(1).toMillis());
      roomTimeout = timeout;
      return this;
    }

    /**
     * Sets how long the engine's thread looks for requests after the last one before it sleeps, and
     * at {@code DISK} the one that forces for records after its last force; 0.3 milliseconds by
     * default. Longer saves callers the tens of microseconds that waking a thread costs, and costs
     * processor time, for each of the two.
     */
    public Builder idleYield(Duration time) {
      inRange("idleYield", time.toMillis(), 0, Duration.ofDays(1).toMillis());
      idleYield = time;
      return this;
    }

    /**
     * Sets by how many bytes the log grows between two snapshots, or by half of the live data if
     * that is more; 256 MiB by default. Less makes the next opening quicker and writes more.
     */
    public Builder snapshotLogBytes(long bytes) {
      snapshotLogBytes = inRange("snapshotLogBytes", bytes, 64 << 10, 1L << 46);
      return this;
    }

    /** Sets after which time a log that has grown gets a snapshot; 10 minutes by default. */
    public Builder snapshotInterval(Duration interval) {
      inRange("snapshotInterval", interval.toMillis(), 1, Duration.ofDays(366).toMillis());
      snapshotInterval = interval;
      return this;
    }

    /**
     * Sets how many bytes of the log a registered reader, such as a backup that is being taken, may
     * keep from being deleted; 1 GiB by default. A reader that falls further behind loses its
     * place.
     */
    public Builder readerBytesMax(long bytes) {
      readerBytesMax = inRange("readerBytesMax", bytes, 0, 1L << 46);
      return this;
    }

    /**
     * Sets where log time comes from; by default the clocks of the system. A clock belongs to one
     * engine at a time.
     */
    public Builder clock(LogClock newClock) {
      clock = Objects.requireNonNull(newClock, "clock");
      return this;
    }

    /**
     * Sets whether to open though the wall clock is more than a minute behind the newest record; no
     * by default. Log time then stands ahead of the wall clock until that catches up.
     */
    public Builder acceptClock(boolean accept) {
      acceptClock = accept;
      return this;
    }

    /**
     * The set-up.
     *
     * @throws IllegalArgumentException if parts of it contradict each other
     */
    public EmbeddedConfig build() {
      if (bytesInFlightMax < commandBytesMax) {
        throw new IllegalArgumentException(
            "bytesInFlightMax must be at least commandBytesMax, which is "
                + commandBytesMax
                + ", is "
                + bytesInFlightMax);
      }
      // Made to be checked.
      spaceFloors();
      return new EmbeddedConfig(this);
    }

    private SpaceFloors spaceFloors() {
      return new SpaceFloors(diskLowBytes, diskFullBytes, LogConfig.RESERVE_BYTES_DEFAULT);
    }

    private Builder copy() {
      Builder copy = new Builder(directory);
      copy.durability = durability;
      copy.segmentBytes = segmentBytes;
      copy.valueBytesMax = valueBytesMax;
      copy.commandBytesMax = commandBytesMax;
      copy.requestsInFlightMax = requestsInFlightMax;
      copy.bytesInFlightMax = bytesInFlightMax;
      copy.waitingClaimsMax = waitingClaimsMax;
      copy.unforcedBytesMax = unforcedBytesMax;
      copy.queueTasksMax = queueTasksMax;
      copy.memoryBytesMax = memoryBytesMax;
      copy.diskLowBytes = diskLowBytes;
      copy.diskFullBytes = diskFullBytes;
      copy.diskSpace = diskSpace;
      copy.roomTimeout = roomTimeout;
      copy.idleYield = idleYield;
      copy.snapshotLogBytes = snapshotLogBytes;
      copy.snapshotInterval = snapshotInterval;
      copy.readerBytesMax = readerBytesMax;
      copy.clock = clock;
      copy.listingBytesMax = listingBytesMax;
      copy.acceptClock = acceptClock;
      return copy;
    }

    private static long inRange(String name, long value, long min, long max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            name + " must be from " + min + " to " + max + ", is " + value);
      }
      return value;
    }
  }
}
