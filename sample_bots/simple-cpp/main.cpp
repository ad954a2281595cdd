// A bot as a process: it listens where ARENA_LISTEN says, answers the arena, and ends when nothing more is asked.
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>

#include "player.grpc.pb.h"
#include "policy.h"

using namespace arena::v1;

namespace {

class Bot final : public Player::Service {
public:
    // private_to_one: whether one arena alone is expected, so that the end of its stream is the end.
    explicit Bot(bool private_to_one) : private_to_one_(private_to_one) {}

    grpc::Status Hello(grpc::ServerContext*, const HelloRequest*, HelloResponse* hello) override {
        hello->set_protocol_version(1);
        hello->set_name("simple-cpp");
        hello->set_version("1.0");
        return grpc::Status::OK;
    }

    grpc::Status Play(grpc::ServerContext*, grpc::ServerReaderWriter<PlayResponse, PlayRequest>* stream) override {
        streams_++;
        PlayRequest request;
        while (stream->Read(&request)) {
            PlayResponse response = answer(request);
            if (response.decisions_size() > 0) stream->Write(response);
        }
        if (--streams_ == 0 && private_to_one_) kill(getpid(), SIGTERM);  // main() waits for it
        return grpc::Status::OK;
    }

private:
    // gRPC would swallow an exception and go on in silence, so the process ends by it.
    static PlayResponse answer(const PlayRequest& request) {
        PlayResponse response;
        try {
            for (const Turn& turn : request.turns()) *response.add_decisions() = decide(turn);
        } catch (const std::exception& error) {
            std::cerr << "simple-cpp: " << error.what() << std::endl;
            std::_Exit(1);
        }
        return response;
    }

    const bool private_to_one_;
    std::atomic<int> streams_{0};
};

int refuse(const std::string& why) {
    std::cerr << "simple-cpp: " << why << std::endl;
    return 2;
}

}  // namespace

int main() {
    const char* given = std::getenv("ARENA_LISTEN");
    if (!given) return refuse("the arena starts this bot; by hand, set ARENA_LISTEN=tcp:127.0.0.1:5000");
    std::string listen = given, target = listen;
    bool tcp = listen.rfind("tcp:", 0) == 0;
    if (tcp)
        target = listen.substr(4);  // gRPC takes unix:/path as it is
    else if (listen.rfind("unix:", 0) != 0)
        return refuse("expected ARENA_LISTEN=unix:/path or tcp:host:port, got " + listen);
    std::string host = target.substr(0, target.rfind(':')), port_text = target.substr(target.rfind(':') + 1);

    // Signals are for sigwait() below alone: threads take over this mask.
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

    Bot bot(!tcp || port_text == "0");
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.AddListeningPort(target, grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&bot);
    std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
    if (!server || (tcp && port == 0)) return refuse("cannot listen at " + listen);
    if (tcp) std::cout << "ARENA-READY " << host << ':' << port << std::endl;

    int signal;
    sigwait(&ends, &signal);
    server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
    return 0;
}
