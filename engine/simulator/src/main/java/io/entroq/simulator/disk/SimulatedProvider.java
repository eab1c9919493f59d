package io.entroq.simulator.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** The provider that {@code java.nio.file.Files} calls. Each path names its process. */
final class SimulatedProvider extends FileSystemProvider {
  static final String SCHEME = "simulated";
  static final SimulatedProvider INSTANCE = new SimulatedProvider();

  private SimulatedProvider() {}

  private interface Work {
    void run(DirectoryTree tree, String path) throws IOException;
  }

  /** Changes a name. A process that dies in the middle dies after the change. */
  private static void change(Path path, Work work) throws IOException {
    SimulatedPath ours = SimulatedPath.of(path);
    boolean dies = ours.process().begin();
    work.run(ours.process().tree(), ours.location());
    ours.process().end(dies);
  }

  private static Node look(Path path) throws IOException {
    SimulatedPath ours = SimulatedPath.of(path);
    ours.process().end(ours.process().begin());
    return ours.process().tree().require(ours.location());
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    SimulatedPath ours = SimulatedPath.of(path);
    boolean dies = ours.process().begin();
    Node node = open(ours.process().tree(), ours.location(), options);
    ours.process().end(dies);
    return node instanceof FileNode file
        ? new SimulatedFileChannel(ours, file, options)
        : new DirectoryChannel(ours, (DirectoryNode) node);
  }

  private static Node open(DirectoryTree tree, String path, Set<? extends OpenOption> options)
      throws IOException {
    boolean isWriting =
        options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
    boolean isNew = isWriting && options.contains(StandardOpenOption.CREATE_NEW);
    Node node = tree.find(path);
    if (node == null) {
      if (isNew || (isWriting && options.contains(StandardOpenOption.CREATE))) {
        return tree.createFile(path);
      }
      throw new NoSuchFileException(path);
    }
    if (isNew) {
      throw new FileAlreadyExistsException(path);
    }
    if (isWriting && node.isDirectory()) {
      throw new FileSystemException(path, null, "Is a directory");
    }
    if (isWriting && options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
      ((FileNode) node).truncate(0);
    }
    return node;
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) throws IOException {
    SimulatedPath ours = SimulatedPath.of(path);
    ours.process().end(ours.process().begin());
    DirectoryNode directory = ours.process().tree().requireDirectory(ours.location());
    return new Listing(ours, directory.names(), filter);
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    change(path, DirectoryTree::createDirectory);
  }

  @Override
  public void delete(Path path) throws IOException {
    change(path, DirectoryTree::delete);
  }

  @Override
  public void copy(Path from, Path to, CopyOption... options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void move(Path from, Path to, CopyOption... options) throws IOException {
    boolean isReplacing =
        Arrays.stream(options)
            .anyMatch(
                option ->
                    option == StandardCopyOption.ATOMIC_MOVE
                        || option == StandardCopyOption.REPLACE_EXISTING);
    String target = SimulatedPath.of(to).location();
    change(from, (tree, path) -> tree.move(path, target, isReplacing));
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    return path.equals(other) || look(path) == look(other);
  }

  @Override
  public boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    look(path);
    return new SimulatedFileStore(SimulatedPath.of(path).process());
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    look(path);
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    if (type == BasicFileAttributeView.class) {
      return type.cast(new NodeView(() -> look(path)));
    }
    return type == FileOwnerAttributeView.class ? type.cast(new OwnerView(() -> look(path))) : null;
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (type != BasicFileAttributes.class) {
      throw new UnsupportedOperationException(type.getName());
    }
    return type.cast(NodeAttributes.of(look(path)));
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) {
    throw new UnsupportedOperationException(names);
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options) {
    throw new UnsupportedOperationException(name);
  }
}
