package io.entroq.engine.recovery;

import io.entroq.codec.command.GenesisDecoder;
import io.entroq.codec.command.RaiseLevelDecoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import org.agrona.DirectBuffer;

/**
 * Reads the behavior level of a directory from its snapshot and log without loading the state: even
 * while an engine runs, with little memory, and for levels that this build does not support.
 */
public final class LevelReader {
  private final LogDirectory directory;
  private final HolePolicy policy;
  private final GenesisDecoder genesis = new GenesisDecoder();
  private final RaiseLevelDecoder raise = new RaiseLevelDecoder();
  private int level;

  public LevelReader(LogDirectory directory, HolePolicy policy) {
    this.directory = directory;
    this.policy = policy;
  }

  /**
   * Reads the newest snapshot's manifest and the log after it.
   *
   * @return the level; 0 if the log is empty
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged
   * @throws LogException if it cannot be read
   */
  public int read() {
    Manifest newest = newestManifest();
    level = newest == null ? 0 : newest.level();
    LogScanner scanner = new LogScanner(directory, policy);
    ScanReport report =
        newest == null
            ? scanner.scanAfter(0, 0, 0, this::onRecord)
            : scanner.scanAfter(
                newest.sequence(), newest.logTag(), newest.logTimeMs(), this::onRecord);
    report.requireUndamaged();
    return level;
  }

  /** The newest readable manifest; null if there is none. */
  private Manifest newestManifest() {
    SnapshotDirectory snapshots = new SnapshotDirectory(directory.directory(), Forcer.DISK);
    for (Snapshot snapshot : snapshots.newestFirst()) {
      try {
        return snapshots.reader(snapshot).manifest();
      } catch (SnapshotDamagedException e) {
        // An older snapshot and more of the log lead to the same level.
      }
    }
    return null;
  }

  private void onRecord(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    try {
      if (type == RecordType.GENESIS) {
        genesis.wrap(payload, offset, length);
        level = genesis.level();
      } else if (type == RecordType.RAISE_LEVEL) {
        raise.wrap(payload, offset, length);
        // The log also contains refused commands, which would not raise it.
        level = Math.max(level, raise.level());
      }
    } catch (MalformedMessageException e) {
      throw LogException.error(
          "Record %d (%s) of the log in %s is intact but cannot be read: %s"
              .formatted(sequence, RecordType.name(type), directory.directory(), e.getMessage()),
          e);
    }
  }
}
