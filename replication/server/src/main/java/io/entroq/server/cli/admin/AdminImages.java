package io.entroq.server.cli.admin;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.client.PieceStream;
import io.entroq.cluster.image.ImageSource;
import io.entroq.codec.wire.published.admin.ImageResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The images of a member, copied over its admin API. */
final class AdminImages implements ImageSource {
  private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

  private final Supplier<AdminClient> connect;

  /**
   * @param connect opens a client of the member
   */
  AdminImages(Supplier<AdminClient> connect) {
    this.connect = connect;
  }

  @Override
  public Optional<Transfer> open(long position, long offset) {
    AdminClient client = connect.get();
    AdminTransfer transfer =
        new AdminTransfer(client, client.image(position, offset, SILENCE_MAX.toMillis()));
    try {
      if (transfer.begin()) {
        return Optional.of(transfer);
      }
      transfer.close();
      return Optional.empty();
    } catch (RuntimeException e) {
      transfer.close();
      throw e;
    }
  }

  private static final class AdminTransfer implements Transfer {
    private final AdminClient client;
    private final PieceStream<ImageResponse> pieces;
    private byte[] manifest;

    private AdminTransfer(AdminClient client, PieceStream<ImageResponse> pieces) {
      this.client = client;
      this.pieces = pieces;
    }

    /** Returns false if the snapshot has no image. */
    private boolean begin() {
      ImageResponse first = pieces.next().orElse(ImageResponse.getDefaultInstance());
      if (!first.hasBegin()) {
        throw new EntroQException.Unavailable(
            "the server's image does not begin with its manifest");
      }
      manifest = first.getBegin().getManifest().toByteArray();
      return !first.getBegin().getWhole();
    }

    @Override
    public byte[] manifest() {
      return manifest.clone();
    }

    @Override
    public Optional<ByteBuffer> next() {
      return pieces.next().map(piece -> piece.getData().asReadOnlyByteBuffer());
    }

    @Override
    public void close() {
      pieces.close();
      client.close();
    }
  }
}
