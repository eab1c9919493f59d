/**
 * Administration: the status of a cluster member, snapshots, behavior levels, and backups over the
 * network. {@code entroq/v1/admin.proto} is the protocol. A backup has its own thread and is sent
 * no faster than it is read. Any thread; only {@link io.entroq.service.admin.BackupReceiver}
 * blocks.
 */
package io.entroq.service.admin;
