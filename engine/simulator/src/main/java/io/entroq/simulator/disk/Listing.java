package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/** The names that were in a directory when it was listed, in their order. */
record Listing(SimulatedPath directory, List<String> names, Filter<? super Path> filter)
    implements DirectoryStream<Path> {
  @Override
  public Iterator<Path> iterator() {
    return names.stream().map(name -> directory.resolve(name)).filter(this::isAccepted).iterator();
  }

  private boolean isAccepted(Path path) {
    try {
      return filter.accept(path);
    } catch (IOException e) {
      throw new DirectoryIteratorException(e);
    }
  }

  @Override
  public void close() {
    // Nothing to release.
  }
}
