/**
 * Backups over the network: what sends one beside whoever goes on serving, on a thread of its own
 * and no faster than it is read; and what takes one in, which is a backup once it has been loaded,
 * replayed and compared. {@code entroq/v1/admin.proto} is the protocol.
 */
package io.entroq.service.backup;
