package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** Shows what a path leads to. */
final class NodeView implements BasicFileAttributeView {
  private final Look look;

  /** Looks at what the path leads to. */
  interface Look {
    Node at() throws IOException;
  }

  NodeView(Look look) {
    this.look = look;
  }

  @Override
  public String name() {
    return "basic";
  }

  @Override
  public BasicFileAttributes readAttributes() throws IOException {
    return new NodeAttributes(look.at());
  }

  @Override
  public void setTimes(FileTime modified, FileTime accessed, FileTime created) {
    // Nobody keeps them.
  }
}
