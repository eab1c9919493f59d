package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What was in a directory when it was asked for, in the order of the names. */
final class Listing implements DirectoryStream<Path> {
  private final SimulatedPath directory;
  private final List<String> names;
  private final Filter<? super Path> filter;

  Listing(SimulatedPath directory, List<String> names, Filter<? super Path> filter) {
    this.directory = directory;
    this.names = names;
    this.filter = filter;
  }

  @Override
  public Iterator<Path> iterator() {
    List<Path> paths = new ArrayList<>(names.size());
    for (String name : names) {
      Path path = directory.resolve(name);
      if (isAccepted(path)) {
        paths.add(path);
      }
    }
    return paths.iterator();
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
    // Nothing is held.
  }
}
