package io.entroq.server.serving;

import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.member.ClusterMember;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.service.admin.ImageFiles;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The images of a cluster member that other members may copy. */
final class MemberImages implements ImageFiles {
  private final Supplier<ImageStore> images;
  private final BooleanSupplier isWriting;

  MemberImages(ClusterMember member) {
    this(member::images, member::isWritingImage);
  }

  MemberImages(Supplier<ImageStore> images, BooleanSupplier isWriting) {
    this.images = images;
    this.isWriting = isWriting;
  }

  @Override
  public Optional<Snapshot> at(long position) {
    // Read first: an image that is complete when this is false would be found below.
    boolean isPending = isWriting.getAsBoolean();
    ImageStore store = images.get();
    if (!store.isReference(position)) {
      return Optional.empty();
    }
    Optional<Snapshot> image = store.at(position);
    if (image.isEmpty()) {
      throw new RefusedException(missing(position, isPending));
    }
    return image;
  }

  private static Refusal missing(long position, boolean isPending) {
    return isPending
        ? Refusal.exhausted("the image of the snapshot at %d is being written".formatted(position))
        : new Refusal(
            Status.Code.NOT_FOUND,
            "this member has no image of the snapshot at %d".formatted(position));
  }
}
