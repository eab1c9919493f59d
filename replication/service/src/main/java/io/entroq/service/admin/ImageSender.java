package io.entroq.service.admin;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.wire.published.admin.ImageBegin;
import io.entroq.codec.wire.published.admin.ImageRequest;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.limit.Limit;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends images, one at a time. A file that is open can be read to its end even if the member
 * deletes it meanwhile. Any thread; does not block.
 */
public final class ImageSender {
  private static final Refusal BUSY =
      new Refusal(
          Status.Code.RESOURCE_EXHAUSTED, Limit.IMAGES.named("another image is being sent"));

  private final ImageFiles files;
  private final AtomicBoolean isBusy = new AtomicBoolean();

  public ImageSender(ImageFiles files) {
    this.files = files;
  }

  public Call send(ImageRequest request, Reply<ImageResponse> reply) {
    if (request.getPosition() < 0 || request.getOffset() < 0) {
      reply.fail(Refusal.invalid("position and offset must not be negative"));
      return Call.done();
    }
    if (!isBusy.compareAndSet(false, true)) {
      reply.fail(BUSY);
      return Call.done();
    }
    return new PieceStream<ImageResponse>(
            "image", reply, stream -> send(request, stream), () -> isBusy.set(false))
        .start();
  }

  private void send(ImageRequest request, PieceStream<ImageResponse> stream) {
    Optional<Snapshot> image = files.at(request.getPosition());
    if (image.isEmpty()) {
      stream.send(response(ImageBegin.newBuilder().setWhole(true)));
      return;
    }
    try (FileChannel state = FileChannel.open(image.get().state(), StandardOpenOption.READ)) {
      ByteString manifest = ByteString.copyFrom(Files.readAllBytes(image.get().manifest()));
      stream.send(response(ImageBegin.newBuilder().setManifest(manifest)));
      state.position(request.getOffset());
      // A new buffer for each message: the transport may hold it for any time.
      ByteBuffer piece = ByteBuffer.allocate(PieceStream.PIECE_BYTES);
      while (state.read(piece) >= 0) {
        stream.send(
            ImageResponse.newBuilder()
                .setData(UnsafeByteOperations.unsafeWrap(piece.flip()))
                .build());
        piece = ByteBuffer.allocate(PieceStream.PIECE_BYTES);
      }
    } catch (IOException e) {
      throw LogException.error("reading " + image.get().directory() + ": " + e, e);
    }
  }

  private static ImageResponse response(ImageBegin.Builder begin) {
    return ImageResponse.newBuilder().setBegin(begin).build();
  }
}
