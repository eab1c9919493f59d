package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** Shows what a path leads to. */
record NodeView(Look look) implements BasicFileAttributeView {
  /** Looks at what the path leads to. */
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
    // Nobody keeps them.
  }
}
