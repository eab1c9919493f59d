package io.entroq.cluster.member;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.backup.Backup;
import io.entroq.engine.backup.BackupProgress;
import io.entroq.engine.backup.Restore;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import java.nio.file.Path;
import org.agrona.ExpandableArrayBuffer;

/** The backup of an engine whose log was begun at an older behaviour level, with a task. */
final class OldSeed {
  private static final int LOG_TAG = 4711;
  private static final long BEGUN_MS = 1_700_000_000_000L;

  private final Path backup;

  /**
   * @param directory where there is room for it
   */
  OldSeed(Path directory, int level) {
    Path data = directory.resolve("old-data");
    begin(data, level);
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "old")).orThrow();
    }
    backup = directory.resolve("old-backup");
    new Backup(data, backup, HolePolicy.REFUSE, Forcer.DISK, BackupProgress.NONE).run();
  }

  private static void begin(Path data, int level) {
    ExpandableArrayBuffer genesis = new ExpandableArrayBuffer();
    int length =
        new GenesisEncoder().wrap(genesis, 0).logId(1, LOG_TAG).seed(7).level(level).length();
    try (LogDirectory locked = LogDirectory.open(data);
        CommandLog log = ChronicleLog.open(locked, LogConfig.defaults(), LOG_TAG, 0, 0)) {
      int crc = new Crc32c().of(genesis, 0, length);
      log.append(RecordType.GENESIS, 1, BEGUN_MS, crc, genesis, 0, length);
      log.force();
    }
  }

  /** Puts it where a member begins with it. */
  void restore(Path member) {
    new Restore(backup, ClusterMember.seedIn(member), Forcer.DISK, BackupProgress.NONE).run();
  }
}
