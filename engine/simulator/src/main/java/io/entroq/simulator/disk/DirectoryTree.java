package io.entroq.simulator.disk;

import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;
import java.util.function.BiConsumer;

/** All files and directories of a disk by name. Paths are absolute and normalized. */
final class DirectoryTree {
  private static final String ROOT = "/";

  private final DiskSpace space;
  private final NameChanges changes = new NameChanges();
  private DirectoryNode root = new DirectoryNode(changes);

  DirectoryTree(DiskSpace space) {
    this.space = space;
  }

  DiskSpace space() {
    return space;
  }

  NameChanges changes() {
    return changes;
  }

  /** The node at a path, or null. */
  Node find(String path) {
    Node node = root;
    for (int from = 1; from < path.length() && node != null; ) {
      int end = path.indexOf('/', from);
      int to = end < 0 ? path.length() : end;
      node = node instanceof DirectoryNode in ? in.get(path.substring(from, to)) : null;
      from = to + 1;
    }
    return node;
  }

  Node require(String path) throws NoSuchFileException {
    Node node = find(path);
    if (node == null) {
      throw new NoSuchFileException(path);
    }
    return node;
  }

  DirectoryNode requireDirectory(String path) throws FileSystemException {
    if (require(path) instanceof DirectoryNode directory) {
      return directory;
    }
    throw new NotDirectoryException(path);
  }

  private DirectoryNode parent(String path) throws FileSystemException {
    if (path.equals(ROOT)) {
      throw new FileSystemException(path, null, "it is the root");
    }
    Node parent = find(path.substring(0, Math.max(1, path.lastIndexOf('/'))));
    if (parent == null) {
      throw new NoSuchFileException(path);
    }
    if (parent instanceof DirectoryNode directory) {
      return directory;
    }
    throw new FileSystemException(path, null, "Not a directory");
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  FileNode createFile(String path) throws FileSystemException {
    FileNode file = new FileNode(space);
    link(path, file);
    file.link(true);
    return file;
  }

  void createDirectory(String path) throws FileSystemException {
    link(path, new DirectoryNode(changes));
  }

  private void link(String path, Node node) throws FileSystemException {
    if (find(path) != null) {
      throw new FileAlreadyExistsException(path);
    }
    changes.make(new NameChange(node, null, null, parent(path), name(path)));
  }

  void delete(String path) throws FileSystemException {
    Node node = require(path);
    if (node instanceof DirectoryNode directory && !directory.isEmpty()) {
      throw new DirectoryNotEmptyException(path);
    }
    changes.make(new NameChange(node, parent(path), name(path), null, null));
    unlink(node);
  }

  private static void unlink(Node node) {
    if (node instanceof FileNode file) {
      file.link(false);
    }
  }

  /**
   * Renames a node atomically.
   *
   * @param isReplacing whether to replace an existing target that is not a directory with entries
   */
  void move(String path, String to, boolean isReplacing) throws FileSystemException {
    Node node = require(path);
    Node there = find(to);
    if (there == node) {
      return;
    }
    if (there != null) {
      requireReplaceable(node, there, to, isReplacing);
    }
    if (node.isDirectory() && to.startsWith(path + "/")) {
      throw new FileSystemException(path, to, "Invalid argument");
    }
    NameChange change = new NameChange(node, parent(path), name(path), parent(to), name(to));
    changes.make(change);
    unlink(change.replaced());
  }

  private static void requireReplaceable(Node node, Node there, String to, boolean isReplacing)
      throws FileSystemException {
    if (!isReplacing) {
      throw new FileAlreadyExistsException(to);
    }
    if (there instanceof DirectoryNode directory && !directory.isEmpty()) {
      throw new DirectoryNotEmptyException(to);
    }
    if (node.isDirectory() != there.isDirectory()) {
      throw new FileSystemException(
          to, null, there.isDirectory() ? "Is a directory" : "Not a directory");
    }
  }

  /** Visits every file and its path, in the order of their names. */
  void eachFile(BiConsumer<String, FileNode> to) {
    each("", root, to);
  }

  private static void each(String path, DirectoryNode in, BiConsumer<String, FileNode> to) {
    for (Map.Entry<String, Node> entry : in.entries()) {
      String name = path + "/" + entry.getKey();
      if (entry.getValue() instanceof FileNode file) {
        to.accept(name, file);
      } else {
        each(name, (DirectoryNode) entry.getValue(), to);
      }
    }
  }

  /** Recalculates the used space, after several names have changed at once. */
  void recount() {
    space.reset();
    eachFile((path, file) -> file.recount());
  }

  /** A copy of the whole tree, all of it forced. */
  DirectoryTree copy(DiskSpace onto) {
    DirectoryTree copy = new DirectoryTree(onto);
    copy(root, copy.root, copy);
    copy.recount();
    return copy;
  }

  private static void copy(DirectoryNode from, DirectoryNode to, DirectoryTree tree) {
    for (Map.Entry<String, Node> entry : from.entries()) {
      if (entry.getValue() instanceof FileNode file) {
        to.put(entry.getKey(), FileNode.of(tree.space, file.bytes()));
      } else {
        DirectoryNode directory = new DirectoryNode(tree.changes);
        to.put(entry.getKey(), directory);
        copy((DirectoryNode) entry.getValue(), directory, tree);
      }
    }
  }

  /** Forces the names on the path to a file. */
  void forceNames(String path) {
    for (int end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
      find(path.substring(0, Math.max(1, end))).force();
    }
  }

  /** Creates a forced file and its directories. */
  void put(String path, byte[] bytes) {
    DirectoryNode in = root;
    for (int from = 1, end; (end = path.indexOf('/', from)) >= 0; from = end + 1) {
      String name = path.substring(from, end);
      if (!(in.get(name) instanceof DirectoryNode)) {
        in.put(name, new DirectoryNode(changes));
      }
      in = (DirectoryNode) in.get(name);
    }
    in.put(name(path), FileNode.of(space, bytes));
    forceNames(path);
    recount();
  }

  /** Removes a name, and forces the removal. */
  void remove(String path) {
    try {
      parent(path).remove(name(path));
    } catch (FileSystemException e) {
      throw new IllegalArgumentException(path, e);
    }
    recount();
  }
}
