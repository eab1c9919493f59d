package io.entroq.engine.history;

import io.entroq.codec.wire.IdKey;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.idfilter.IdFilterDirectory;
import io.entroq.engine.idfilter.QuietLog;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What a reader of the effects on a few tasks need not replay: it goes on with a snapshot if no
 * step before that, from where it is, has an effect on any of them. As of its creation. Not
 * thread-safe.
 */
final class Skips {
  /** To replay a record takes about as long as to load so many bytes of a snapshot. */
  private static final long BYTES_PER_RECORD = 256;

  /** From the oldest snapshot on. */
  private final List<Skip> skips;

  /**
   * A part that can be skipped.
   *
   * @param after whoever has seen all effects up to this step, or a later one, can go on with the
   *     snapshot
   */
  record Skip(long after, Snapshot snapshot, Manifest manifest) {
    boolean isBefore(HistoryPoint until) {
      return until.includes(manifest.sequence(), manifest.logTimeMs());
    }

    /** Whether it is faster to load the snapshot than to replay from a step on. */
    boolean isFaster(long from) {
      return (manifest.sequence() - from) * BYTES_PER_RECORD > manifest.stateBytes();
    }
  }

  private Skips(List<Skip> skips) {
    this.skips = skips;
  }

  /**
   * Finds them.
   *
   * @param ids of the tasks; with none, nothing is skipped
   */
  static Skips of(HistoryDirectory directory, Collection<IdKey> ids) {
    List<Skip> skips = new ArrayList<>();
    if (!ids.isEmpty()) {
      QuietLog quiet = new IdFilterDirectory(directory.path()).quiet(ids);
      for (Snapshot snapshot : directory.snapshots().newestFirst()) {
        Manifest manifest = directory.snapshots().reader(snapshot).manifestIfGood();
        if (manifest != null && manifest.sequence() == snapshot.sequence()) {
          long after =
              quiet.before(
                  manifest.sequence(),
                  manifest.historyDigest(),
                  manifest.logIdHigh(),
                  manifest.logIdLow());
          skips.add(0, new Skip(after, snapshot, manifest));
        }
      }
      skips.removeIf(skip -> skip.after >= skip.manifest.sequence());
    }
    return new Skips(skips);
  }

  boolean isEmpty() {
    return skips.isEmpty();
  }

  /**
   * The one that leads farthest from a step; null if there is none.
   *
   * @param isLoaded whether the state of that step is loaded, so that it must be worth to leave it
   */
  Skip from(long sequence, boolean isLoaded, HistoryPoint until) {
    Skip farthest = null;
    for (Skip skip : skips) {
      boolean leadsOn = skip.after <= sequence && skip.manifest.sequence() > sequence;
      if (leadsOn && skip.isBefore(until) && (!isLoaded || skip.isFaster(sequence))) {
        farthest = skip;
      }
    }
    return farthest;
  }

  /** The next point after a step from which something can be skipped; else {@code until}. */
  HistoryPoint next(long sequence, HistoryPoint until) {
    long next = Long.MAX_VALUE;
    for (Skip skip : skips) {
      if (skip.after > sequence && skip.isBefore(until) && skip.isFaster(skip.after)) {
        next = Math.min(next, skip.after);
      }
    }
    return next == Long.MAX_VALUE ? until : HistoryPoint.at(next);
  }

  /** Its snapshot cannot be used. */
  void remove(Skip skip) {
    skips.remove(skip);
  }
}
