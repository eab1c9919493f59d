package io.entroq.server.serving;

import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.member.ClusterMember;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.service.admin.ImageFiles;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import java.util.Optional;

/** The images of a cluster member that other members may copy. */
final class MemberImages implements ImageFiles {
  private final ClusterMember member;

  MemberImages(ClusterMember member) {
    this.member = member;
  }

  @Override
  public Optional<Snapshot> at(long position) {
    ImageStore images = member.images();
    if (!images.isReference(position)) {
      return Optional.empty();
    }
    Optional<Snapshot> image = images.at(position);
    if (image.isEmpty()) {
      throw new RefusedException(missing(position));
    }
    return image;
  }

  private Refusal missing(long position) {
    return member.isWritingImage()
        ? Refusal.exhausted("the image of the snapshot at %d is being written".formatted(position))
        : new Refusal(
            Status.Code.NOT_FOUND,
            "this member has no image of the snapshot at %d".formatted(position));
  }
}
