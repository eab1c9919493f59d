package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** The basic attributes of the node at a path. */
record NodeView(Look look) implements BasicFileAttributeView {
  /** Finds the node at the path. */
  interface Look {
    Node at() throws IOException;
  }

  @Override
  public String name() {
    return "basic";
  }

  @Override
  public BasicFileAttributes readAttributes() throws IOException {
    return NodeAttributes.of(look.at());
  }

  @Override
  public void setTimes(FileTime modified, FileTime accessed, FileTime created) {
    // Times are not kept.
  }
}
