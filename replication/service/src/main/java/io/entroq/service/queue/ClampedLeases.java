package io.entroq.service.queue;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How many leases were not the ones that their claims asked for. Any thread. */
public final class ClampedLeases {
  private final Map<Kind, Map<Reason, LongAdder>> counts = new EnumMap<>(Kind.class);

  /** None so far. */
  public ClampedLeases() {
    for (Kind kind : Kind.values()) {
      Map<Reason, LongAdder> ofKind = new EnumMap<>(Reason.class);
      for (Reason reason : Reason.values()) {
        ofKind.put(reason, new LongAdder());
      }
      counts.put(kind, ofKind);
    }
  }

  void count(Kind kind, Reason reason) {
    counts.get(kind).get(reason).increment();
  }

  /** The number so far. */
  public long of(Kind kind, Reason reason) {
    return counts.get(kind).get(reason).sum();
  }

  /** What was claimed. */
  public enum Kind {
    TASK,
    DOC;

    /** The name in metrics. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Why the lease is another one. */
  public enum Reason {
    BELOW_FLOOR,
    ABOVE_CEILING;

    /** The name in metrics and in the metadata of responses. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
