package io.entroq.server.serving;

import io.entroq.cluster.member.ClusterMember;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.StoreSettings;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** The data directory of a standalone server, from its settings. */
final class StoreDirectory {
  private StoreDirectory() {}

  /** The directory; empty if tasks are kept in memory only. */
  static Optional<Path> of(Settings settings) {
    return settings
        .find(StoreSettings.DATA)
        .or(() -> settings.find(StoreSettings.JOURNAL))
        .map(path -> path.toAbsolutePath().normalize());
  }

  /**
   * Creates the directory of --journal if --mkdir is set.
   *
   * @throws CommandException if it is missing, cannot be created, or belongs to a cluster member
   */
  static void prepare(Settings settings) {
    of(settings)
        .filter(ClusterMember::hasDirectory)
        .ifPresent(
            path -> {
              throw new CommandException(
                  path + " is the directory of a cluster member; run it with `entroq node`");
            });
    Optional<Path> journal = settings.find(StoreSettings.JOURNAL);
    if (journal.isEmpty() || Files.exists(journal.get())) {
      return;
    }
    if (!settings.get(StoreSettings.MKDIR)) {
      throw new CommandException(
          "%s: %s does not exist; --mkdir creates it"
              .formatted(settings.nameOf(StoreSettings.JOURNAL), journal.get()));
    }
    try {
      Files.createDirectories(journal.get(), ownerOnly());
    } catch (IOException e) {
      throw new CommandException("cannot create the directory " + journal.get() + ": " + e, e);
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }
}
