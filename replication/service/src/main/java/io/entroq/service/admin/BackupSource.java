package io.entroq.service.admin;

import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.engine.log.scan.HolePolicy;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A running queue that backups are taken of. Called on the thread that sends the backup; may block.
 */
public interface BackupSource {
  /** The data directory. */
  Path directory();

  /** What a gap in its log means. */
  HolePolicy policy();

  /**
   * The last record that a backup may contain.
   *
   * @throws io.entroq.service.translation.RefusedException if no backup is possible
   */
  Aim aim();

  /**
   * Where a backup ends.
   *
   * @param sequence the last record of the backup's log
   * @param state the state after that record; empty if not required
   */
  record Aim(long sequence, Optional<StateOfMember> state) {}
}
