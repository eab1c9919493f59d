package io.entroq.simulator.disk;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/** The disk as one process sees it. */
final class SimulatedFileSystem extends FileSystem {
  private final DiskProcess process;

  SimulatedFileSystem(DiskProcess process) {
    this.process = process;
  }

  DiskProcess process() {
    return process;
  }

  @Override
  public FileSystemProvider provider() {
    return SimulatedProvider.INSTANCE;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("it is there for as long as its process");
  }

  @Override
  public boolean isOpen() {
    return process.isAlive();
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(new SimulatedPath(this, "/"));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of(new SimulatedFileStore(process));
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic", "owner");
  }

  @Override
  public Path getPath(String first, String... more) {
    StringBuilder text = new StringBuilder(first);
    for (String each : more) {
      if (!each.isEmpty()) {
        text.append(text.length() == 0 ? "" : "/").append(each);
      }
    }
    return SimulatedPath.of(this, text.toString());
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    throw new UnsupportedOperationException();
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }
}
