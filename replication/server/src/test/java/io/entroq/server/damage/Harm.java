package io.entroq.server.damage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Something that is done to the files of a data directory.
 *
 * @param kind of it; a test tries every kind
 * @param what exactly, for people
 * @param files whatever of these is named by a refusal is what is meant
 */
record Harm(String kind, String what, Set<Path> files, Deed deed) {
  /** Changes a directory. */
  interface Deed {
    void to(Path directory) throws IOException;
  }

  @Override
  public String toString() {
    return kind + " " + what;
  }
}
