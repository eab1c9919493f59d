package io.entroq.service.grpc;

import com.google.protobuf.Descriptors;
import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.ImageRequest;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.PublishedAdminProto;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.StopRequest;
import io.entroq.codec.wire.published.admin.StopResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.entroq.service.admin.AdminService;
import io.entroq.service.translation.Facade;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.util.List;

/** Serves operators over gRPC. */
final class GrpcAdmin {
  private static final Descriptors.ServiceDescriptor PUBLISHED =
      PublishedAdminProto.getDescriptor().findServiceByName("Admin");

  private GrpcAdmin() {}

  /**
   * The service, with its reflection.
   *
   * @param readers watches for slow readers
   */
  static ServerServiceDefinition define(AdminService service, SlowReaders readers) {
    List<ServerMethodDefinition<RequestBytes, ?>> methods =
        List.of(
            new GrpcMethod<>(
                    StatusRequest.parser(), StatusResponse.getDefaultInstance(), service::status)
                .define(PUBLISHED.findMethodByName("Status"), Facade.V1, readers),
            new GrpcMethod<>(
                    TakeSnapshotRequest.parser(),
                    TakeSnapshotResponse.getDefaultInstance(),
                    service::takeSnapshot)
                .define(PUBLISHED.findMethodByName("TakeSnapshot"), Facade.V1, readers),
            new GrpcMethod<>(
                    BackupRequest.parser(), BackupResponse.getDefaultInstance(), service::backup)
                .define(PUBLISHED.findMethodByName("Backup"), Facade.V1, readers),
            new GrpcMethod<>(
                    ImageRequest.parser(), ImageResponse.getDefaultInstance(), service::image)
                .define(PUBLISHED.findMethodByName("Image"), Facade.V1, readers),
            new GrpcMethod<>(
                    LevelRequest.parser(), LevelResponse.getDefaultInstance(), service::level)
                .define(PUBLISHED.findMethodByName("Level"), Facade.V1, readers),
            new GrpcMethod<>(
                    RaiseLevelRequest.parser(),
                    RaiseLevelResponse.getDefaultInstance(),
                    service::raiseLevel)
                .define(PUBLISHED.findMethodByName("RaiseLevel"), Facade.V1, readers),
            new GrpcMethod<>(StopRequest.parser(), StopResponse.getDefaultInstance(), service::stop)
                .define(PUBLISHED.findMethodByName("Stop"), Facade.V1, readers));
    return GrpcMethods.define(PUBLISHED, methods);
  }
}
