package io.entroq.system.member;

import io.entroq.api.EntroQException;
import io.entroq.cluster.image.ImageSource;
import io.entroq.cluster.image.ImageStore;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.snapshot.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The images of a running member on the same machine. */
record NeighborImages(Path member) implements ImageSource {
  @Override
  public Optional<Transfer> open(long position, long offset) {
    ImageStore images = ImageStore.read(member, Forcer.DISK);
    Snapshot image =
        images.at(position).orElseThrow(() -> new EntroQException.InvalidArgument("no image"));
    try {
      byte[] manifest = Files.readAllBytes(image.manifest());
      return Optional.of(new Pieces(manifest, FileChannel.open(image.state()).position(offset)));
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  private static EntroQException unavailable(IOException e) {
    return new EntroQException.Unavailable("it was deleted meanwhile: " + e);
  }

  /** The file stays readable after it is deleted. */
  private static final class Pieces implements Transfer {
    private static final int PIECE_BYTES = 1 << 16;

    private final byte[] manifest;
    private final FileChannel state;

    private Pieces(byte[] manifest, FileChannel state) {
      this.manifest = manifest;
      this.state = state;
    }

    @Override
    public byte[] manifest() {
      return manifest.clone();
    }

    @Override
    public Optional<ByteBuffer> next() {
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      try {
        return state.read(piece) < 0 ? Optional.empty() : Optional.of(piece.flip());
      } catch (IOException e) {
        throw unavailable(e);
      }
    }

    @Override
    public void close() {
      try {
        state.close();
      } catch (IOException e) {
        throw unavailable(e);
      }
    }
  }
}
