package io.entroq.cluster.mirror;

import io.entroq.cluster.image.ImageStore;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RunFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/** Opens a mirror and sets damaged content aside. One thread. */
final class MirrorOpener {
  private static final Logger LOGGER = System.getLogger(Mirror.class.getName());

  private MirrorOpener() {}

  /**
   * Opens the mirror. Blocks.
   *
   * @param runs stores the bytes of the log
   * @return {@link Mirror#none} if the mirror cannot be opened
   */
  static Mirror open(
      Path directory, DirectoryLock lock, ImageStore images, MirrorConfig config, RunFactory runs) {
    MirrorStore store = new MirrorStore(directory, lock, images, runs, config);
    try {
      return LogMirror.start(store, verify(store, directory), config);
    } catch (LogException e) {
      LOGGER.log(Level.WARNING, "The member runs without a mirror: " + e.getMessage());
      return Mirror.none();
    }
  }

  private static MirrorVerifier verify(MirrorStore store, Path directory) {
    try {
      return store.verify();
    } catch (LogException e) {
      Path target = store.setAside();
      LOGGER.log(
          Level.WARNING,
          "The mirror in %s is damaged. It was set aside in %s and restarts: %s"
              .formatted(directory.toAbsolutePath(), target, e.getMessage()));
      store.reset();
      return new MirrorVerifier(null);
    }
  }
}
