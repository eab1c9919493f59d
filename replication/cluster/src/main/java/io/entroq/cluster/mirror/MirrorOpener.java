package io.entroq.cluster.mirror;

import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RunFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/** Opens a mirror: reads what there is, and sets aside what is not right. One thread. */
final class MirrorOpener {
  private static final Logger LOGGER = System.getLogger(Mirror.class.getName());

  private MirrorOpener() {}

  /**
   * Opens it. Blocks.
   *
   * @param runs what holds the bytes of the log
   * @return none if there can be none
   */
  static Mirror open(Path directory, DirectoryLock lock, MirrorConfig config, RunFactory runs) {
    MirrorStore store = new MirrorStore(directory, lock, runs, config);
    try {
      return LogMirror.start(store, verify(store, directory), config);
    } catch (LogException e) {
      LOGGER.log(Level.WARNING, "There will be no mirror: " + e.getMessage());
      return Mirror.none();
    }
  }

  private static MirrorVerifier verify(MirrorStore store, Path directory) {
    try {
      return store.verify();
    } catch (LogException e) {
      Path place = store.setAside();
      LOGGER.log(
          Level.WARNING,
          "The mirror in %s is damaged, was set aside in %s, and begins anew: %s"
              .formatted(directory.toAbsolutePath(), place, e.getMessage()));
      store.renew();
      return new MirrorVerifier(null);
    }
  }
}
