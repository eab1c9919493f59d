package io.entroq.cluster.member;

import io.entroq.api.Durability;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.mirror.MirrorConfig;
import io.entroq.cluster.retention.Retention;
import io.entroq.cluster.service.SkippedCommand;
import io.entroq.cluster.service.StateDivergence;
import io.entroq.cluster.session.MemberSecret;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.time.ClockWarning;
import io.entroq.engine.time.LogClock;
import io.entroq.engine.time.SlewedClock;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** How a member is set up. Immutable; made by {@link #of}. */
public final class MemberConfig {
  /** Terms of log and ingress; the longest message is an eighth of a term. */
  static final int TERM_BYTES = 16 << 20;

  /** Files of recordings; whole terms. */
  private static final int SEGMENT_BYTES = 64 << 20;

  /** What is left of the longest message for a command. */
  public static final int COMMAND_BYTES_MAX = TERM_BYTES / 8 - 1_024;

  /** An even number bears no more losses than the odd one below it, and has one more to lose. */
  private static final Set<Integer> SIZES = Set.of(1, 3, 5, 7);

  private final Builder values;

  private MemberConfig(Builder builder) {
    values = builder.copy();
  }

  /**
   * Begins the set-up of a member.
   *
   * @param memberId its place among the members, from 0
   * @param members all of them, in the same order everywhere and at every start: 1, 3, 5 or 7
   * @param directory where it keeps what it must not forget
   * @throws IllegalArgumentException if there is no such member, or another number of members
   */
  public static Builder of(int memberId, List<MemberAddress> members, Path directory) {
    return new Builder(memberId, members, directory);
  }

  /** Its place among the members, from 0. */
  public int memberId() {
    return values.memberId;
  }

  /** All members. */
  public List<MemberAddress> members() {
    return values.members;
  }

  /** This one among them. */
  public MemberAddress address() {
    return values.members.get(values.memberId);
  }

  /** Where it keeps what it must not forget. */
  public Path directory() {
    return values.directory;
  }

  /** Where the media driver has its files, which are gone with the process. */
  public Path driverDirectory() {
    return values.driverDirectory.orElseGet(() -> DriverDirectory.of(values.directory));
  }

  /** What a member has done before it says that it has a command. */
  public Durability durability() {
    return values.durability;
  }

  /** Whether an empty directory may become that of a member. */
  public boolean isBootstrap() {
    return values.isBootstrap;
  }

  /** After which silence members give each other up. */
  public Liveness liveness() {
    return values.liveness;
  }

  /** How many sessions there may be; each member has one, and a second while it reconnects. */
  public int sessionsMax() {
    return values.sessionsMax;
  }

  /** The bounds of the callers' side, and of room on the disk. */
  public EmbeddedConfig bounds() {
    return values.bounds;
  }

  /** When snapshots are taken, and how much log is kept. */
  public Retention retention() {
    return values.retention;
  }

  /** What else hears of members that have come to different states. */
  Consumer<StateDivergence> alarm() {
    return values.alarm;
  }

  /** Length of the terms of log and ingress. */
  int termBytes() {
    return values.termBytes;
  }

  /** Of commands, as they go in and as they are the log: without endpoint. */
  String commandChannel() {
    return "aeron:udp?term-length=" + values.termBytes;
  }

  /** Length of the files of recordings. */
  int segmentBytes() {
    return values.segmentBytes;
  }

  /** By which members know each other's sessions; empty: they believe whoever says so. */
  public Optional<MemberSecret> secret() {
    return values.secret;
  }

  /** The mirror of the log, in the format of an engine's. */
  public MirrorConfig mirror() {
    return values.mirror;
  }

  /** Whether it starts though the wall clock is far behind the log. */
  public boolean acceptClock() {
    return values.acceptClock;
  }

  /** The command that is passed over. */
  public Optional<SkippedCommand> skippedCommand() {
    return values.skippedCommand;
  }

  /** Which behaviour levels it says that it supports. */
  LevelRange levels() {
    return values.levels;
  }

  /** Makes what the member takes for the time. */
  Supplier<LogClock> clock() {
    return values.clock;
  }

  /** Gathers a set-up. For one thread. */
  public static final class Builder {
    private final int memberId;
    private final List<MemberAddress> members;
    private final Path directory;
    private Optional<Path> driverDirectory = Optional.empty();
    private Durability durability = Durability.DISK;
    private boolean isBootstrap;
    private Liveness liveness = Liveness.DEFAULT;
    private int sessionsMax = 64;
    private EmbeddedConfig bounds =
        EmbeddedConfig.inMemory().commandBytesMax(COMMAND_BYTES_MAX).build();
    private Optional<MemberSecret> secret = Optional.empty();
    private Supplier<LogClock> clock = () -> new SlewedClock(ClockWarning::log);
    private Retention retention = Retention.DEFAULT;
    private Consumer<StateDivergence> alarm = disagreement -> {};
    private int termBytes = TERM_BYTES;
    private int segmentBytes = SEGMENT_BYTES;
    private MirrorConfig mirror = MirrorConfig.DEFAULT;
    private boolean acceptClock;
    private Optional<SkippedCommand> skippedCommand = Optional.empty();
    private LevelRange levels = LevelRange.ofThisBuild();

    private Builder(int memberId, List<MemberAddress> members, Path directory) {
      this.memberId = memberId;
      this.members = List.copyOf(members);
      this.directory = Objects.requireNonNull(directory, "directory");
      if (memberId < 0 || memberId >= members.size()) {
        throw new IllegalArgumentException(
            "member " + memberId + " is none of " + members.size() + " members");
      }
      if (!SIZES.contains(members.size())) {
        throw new IllegalArgumentException(
            ("a cluster has 1, 3, 5 or 7 members, not %d. More than half of them have to be up, so an"
                    + " even number survives no more losses than one member fewer")
                .formatted(members.size()));
      }
    }

    /**
     * Sets where the media driver has its files, which need not survive the process. By default in
     * memory, where a gigabyte is free, under {@code /dev/shm}; else in the member's directory.
     */
    public Builder driverDirectory(Path path) {
      driverDirectory = Optional.of(path);
      return this;
    }

    /**
     * Sets what a member has done before it says that it has a command: {@link Durability#DISK},
     * the default, on the disk; {@link Durability#OS} in the page cache. What a majority has said
     * that it has survives the loss of all others.
     */
    public Builder durability(Durability level) {
      if (level == Durability.NONE) {
        throw new IllegalArgumentException("a member keeps what it has agreed to: os or disk");
      }
      durability = Objects.requireNonNull(level, "durability");
      return this;
    }

    /**
     * Sets whether an empty directory may become that of a member: only for the first start of a
     * cluster. A member that has lost its disk and begins anew under its old id may vote against
     * what it has agreed to.
     */
    public Builder bootstrap(boolean bootstrap) {
      isBootstrap = bootstrap;
      return this;
    }

    /** Sets after which silence members give each other up. */
    public Builder liveness(Liveness limits) {
      liveness = Objects.requireNonNull(limits, "liveness");
      return this;
    }

    /** Sets how many sessions there may be; 64 by default, and at least two per member. */
    public Builder sessionsMax(int sessions) {
      sessionsMax = sessions;
      return this;
    }

    /**
     * Sets the bounds of the callers' side, whose commands may have up to {@value
     * #COMMAND_BYTES_MAX} bytes, and what has to be free on the disk for what they ask; what it
     * says of directory and clock says nothing here.
     */
    public Builder bounds(EmbeddedConfig config) {
      bounds = Objects.requireNonNull(config, "bounds");
      return this;
    }

    /**
     * Sets by which members know each other's sessions, the same for all; none by default. Whoever
     * does not know it cannot send commands as a member does. It encrypts nothing, and votes, log
     * and archives are as open as without it.
     */
    public Builder secret(MemberSecret shared) {
      secret = Optional.of(shared);
      return this;
    }

    /**
     * Sets how the log is mirrored in the directory, in the format of an engine's: {@link
     * MirrorConfig#DEFAULT}, or {@link MirrorConfig#OFF}.
     */
    public Builder mirror(MirrorConfig config) {
      mirror = Objects.requireNonNull(config, "mirror");
      return this;
    }

    /**
     * Sets whether the member starts though the wall clock is more than a minute behind the log of
     * the cluster.
     */
    public Builder acceptClock(boolean accept) {
      acceptClock = accept;
      return this;
    }

    /**
     * Sets the one command that is passed over, because it ends every member that applies it: the
     * same on all members, and on all at once.
     */
    public Builder skipCommand(SkippedCommand command) {
      skippedCommand = Optional.of(command);
      return this;
    }

    /** Sets what makes the clock by which this member says log time while it leads. */
    Builder clock(Supplier<LogClock> maker) {
      clock = Objects.requireNonNull(maker, "clock");
      return this;
    }

    /** Sets when snapshots are taken, and how much log is kept; the same for all members. */
    public Builder retention(Retention limits) {
      retention = Objects.requireNonNull(limits, "retention");
      return this;
    }

    /**
     * Sets what is to hear, besides the operator's log, that members have come to different states,
     * and again when more is known of it. Called by the thread that applies commands, which is not
     * to be held up.
     */
    public Builder alarm(Consumer<StateDivergence> listener) {
      alarm = Objects.requireNonNull(listener, "alarm");
      return this;
    }

    /** Sets which behaviour levels it says that it supports, as another build would. */
    Builder levels(LevelRange range) {
      levels = range;
      return this;
    }

    /** Sets lengths of terms and of files that suit small logs. */
    Builder lengths(int term, int segment) {
      termBytes = term;
      segmentBytes = segment;
      return this;
    }

    /**
     * The set-up.
     *
     * @throws IllegalArgumentException if parts of it contradict each other
     */
    public MemberConfig build() {
      if (bounds.commandBytesMax() > COMMAND_BYTES_MAX) {
        throw new IllegalArgumentException(
            "commandBytesMax may be up to %,d in a cluster, is %,d"
                .formatted(COMMAND_BYTES_MAX, bounds.commandBytesMax()));
      }
      if (sessionsMax < 2 * members.size()) {
        throw new IllegalArgumentException(
            "sessionsMax must be at least two per member, is " + sessionsMax);
      }
      return new MemberConfig(this);
    }

    private Builder copy() {
      Builder copy = new Builder(memberId, members, directory);
      copy.driverDirectory = driverDirectory;
      copy.durability = durability;
      copy.isBootstrap = isBootstrap;
      copy.liveness = liveness;
      copy.sessionsMax = sessionsMax;
      copy.bounds = bounds;
      copy.secret = secret;
      copy.clock = clock;
      copy.retention = retention;
      copy.alarm = alarm;
      copy.termBytes = termBytes;
      copy.segmentBytes = segmentBytes;
      copy.mirror = mirror;
      copy.acceptClock = acceptClock;
      copy.skippedCommand = skippedCommand;
      copy.levels = levels;
      return copy;
    }
  }
}
