package io.entroq.service.admin;

import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.engine.log.scan.HolePolicy;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What backups are taken of while it keeps running. Called on the thread that sends the backup; may
 * block.
 */
public interface BackupSource {
  /** The data directory. */
  Path directory();

  /** What a hole in its log means. */
  HolePolicy policy();

  /**
   * The newest record that a backup may have.
   *
   * @throws io.entroq.service.translation.RefusedException if there can be no backup
   */
  Aim aim();

  /**
   * Where a backup ends.
   *
   * @param sequence the last record of its log
   * @param state the state after that record; empty if not asked for
   */
  record Aim(long sequence, Optional<StateOfMember> state) {}
}
