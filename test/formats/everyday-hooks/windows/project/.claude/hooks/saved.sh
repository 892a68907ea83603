echo saved >> saved.txt
